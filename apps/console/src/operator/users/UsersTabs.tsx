import { Tabs } from "../../ui/layout";
import { useTenantHome } from "../tenants/tenant-context";

export function UsersTabs() {
	const home = useTenantHome();
	return (
		<>
			<h2 className="visually-hidden">Users</h2>
			<Tabs
				label="Users"
				tabs={[
					{ to: `${home}/users`, title: "Users", end: true },
					{ to: `${home}/users/invitations`, title: "Invitations" },
					{ to: `${home}/users/import`, title: "Import" },
				]}
			/>
		</>
	);
}
