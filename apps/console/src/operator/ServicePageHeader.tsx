import { PageHeader, type PageHeaderProps } from "../ui/layout";
import { titleOf } from "./product";

/** The header of a page of the service. The browser's tab shows its title too. */
export function ServicePageHeader(props: Omit<PageHeaderProps, "focus">) {
	return (
		<>
			<title>{titleOf(props.title)}</title>
			<PageHeader {...props} focus={false} />
		</>
	);
}
