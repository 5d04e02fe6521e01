import type { RouteObject } from "react-router";
import { AuditPage } from "./audit/AuditPage";
import { CrashPage } from "./layout/CrashPage";
import { NotFoundPage } from "./layout/NotFoundPage";
import { OutboxPage } from "./outbox/OutboxPage";
import { OverviewPage } from "./overview/OverviewPage";
import { ProvidersTab } from "./providers/ProvidersTab";
import { OperatorGate } from "./session/OperatorGate";
import { AuditTab } from "./tenant/AuditTab";
import { OverviewTab } from "./tenant/OverviewTab";
import { SettingsTab } from "./tenant/SettingsTab";
import { TenantPage } from "./tenant/TenantPage";
import { NewTenantPage } from "./tenants/NewTenantPage";
import { TenantsPage } from "./tenants/TenantsPage";
import { SessionsTab } from "./users/SessionsTab";
import { UserPage } from "./users/UserPage";
import { UsersTab } from "./users/UsersTab";

export const routes: RouteObject[] = [
	{
		path: "/",
		element: <OperatorGate />,
		errorElement: <CrashPage />,
		children: [
			{ index: true, element: <OverviewPage /> },
			{ path: "tenants", element: <TenantsPage /> },
			{ path: "tenants/new", element: <NewTenantPage /> },
			{
				path: "tenants/:tenantId",
				element: <TenantPage />,
				children: [
					{ index: true, element: <OverviewTab /> },
					{ path: "providers", element: <ProvidersTab /> },
					{ path: "users", element: <UsersTab /> },
					{ path: "users/:userId", element: <UserPage /> },
					{ path: "sessions", element: <SessionsTab /> },
					{ path: "audit", element: <AuditTab /> },
					{ path: "settings", element: <SettingsTab /> },
				],
			},
			{ path: "audit", element: <AuditPage /> },
			{ path: "outbox", element: <OutboxPage /> },
			{ path: "*", element: <NotFoundPage /> },
		],
	},
];
