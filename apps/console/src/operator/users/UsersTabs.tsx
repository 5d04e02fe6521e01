import type { ManagementAction } from "better-auth-tenant";
import { PageHeader, Tabs } from "../../ui/layout";
import { useMayInTenant, useTenantHome } from "../current-tenant/tenant-context";

type Tab = { path: string; title: string; end?: boolean; action: ManagementAction };

const TABS: Tab[] = [
	{ path: "users", title: "Users", end: true, action: "user:list" },
	{ path: "users/invitations", title: "Invitations", action: "invitation:list" },
	{ path: "users/import", title: "Import", action: "user:import" },
];

export function UsersTabs() {
	const home = useTenantHome();
	const may = useMayInTenant();
	const tabs = TABS.filter(({ action }) => may(action)).map(({ path, ...tab }) => ({
		...tab,
		to: `${home}/${path}`,
	}));
	return (
		<>
			<PageHeader title="Users" focus={false} />
			{tabs.length > 1 && <Tabs label="Users" tabs={tabs} />}
		</>
	);
}
