import { PageHeader, type PageHeaderProps } from "../../ui/layout";
import { titleOf } from "../product";
import { useTenant } from "./tenant-context";

/** The header of a page of a tenant. The browser's tab shows its title too, and the name of the tenant. */
export function TenantPageHeader(props: Omit<PageHeaderProps, "focus">) {
	const { name } = useTenant();
	return (
		<>
			<title>{titleOf(props.title, name)}</title>
			<PageHeader {...props} focus={false} />
		</>
	);
}
