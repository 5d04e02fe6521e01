import type { RouteObject } from "react-router";
import { AuditPage, AuditTab } from "./audit/AuditPage";
import { KeysPage } from "./keys/KeysPage";
import { CrashPage, NotFoundPage, OperatorGate } from "./layout";
import { OperatorsPage } from "./operators/OperatorsPage";
import { OutboxPage } from "./outbox/OutboxPage";
import { OverviewPage } from "./overview/OverviewPage";
import { ProvidersTab } from "./providers/ProvidersTab";
import { ForgotPasswordPage, NewPasswordPage } from "./session/password-pages";
import { NewTenantPage } from "./tenants/NewTenantPage";
import { OverviewTab } from "./tenants/OverviewTab";
import { SettingsTab } from "./tenants/SettingsTab";
import { TenantPage } from "./tenants/TenantPage";
import { TenantsPage } from "./tenants/TenantsPage";
import { SessionsTab } from "./users/SessionsTab";
import { UserPage } from "./users/UserPage";
import { UsersTab } from "./users/UsersTab";

export const routes: RouteObject[] = [
	{ path: "/new-password", element: <NewPasswordPage />, errorElement: <CrashPage /> },
	{ path: "/forgot-password", element: <ForgotPasswordPage />, errorElement: <CrashPage /> },
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
			{ path: "operators", element: <OperatorsPage /> },
			{ path: "keys", element: <KeysPage /> },
			{ path: "outbox", element: <OutboxPage /> },
			{ path: "*", element: <NotFoundPage /> },
		],
	},
];
