import type { RouteObject } from "react-router";
import { AuditPage, AuditTab } from "./audit/AuditPage";
import { DomainsTab } from "./domains/DomainsTab";
import { KeysPage } from "./keys/KeysPage";
import { CrashPage, NotFoundPage, OperatorGate } from "./layout";
import { OperatorsPage } from "./operators/OperatorsPage";
import { OutboxPage } from "./outbox/OutboxPage";
import { OverviewPage } from "./overview/OverviewPage";
import { PolicyTab } from "./policy/PolicyTab";
import { ProvidersTab } from "./providers/ProvidersTab";
import { ForgotPasswordPage, NewPasswordPage } from "./session/password-pages";
import { SignInsTab } from "./sign-ins/SignInsTab";
import { NewTenantPage } from "./tenants/NewTenantPage";
import { OverviewTab } from "./tenants/OverviewTab";
import { SettingsTab } from "./tenants/SettingsTab";
import { TenantPage } from "./tenants/TenantPage";
import { TenantsPage } from "./tenants/TenantsPage";
import { FindUserPage } from "./users/FindUserPage";
import { ImportPage } from "./users/ImportPage";
import { InvitationsTab } from "./users/InvitationsTab";
import { SessionsTab } from "./users/SessionsTab";
import { UserPage } from "./users/UserPage";
import { UsersTab } from "./users/UsersTab";
import { WebhooksTab } from "./webhooks/WebhooksTab";

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
					{ path: "users/invitations", element: <InvitationsTab /> },
					{ path: "users/import", element: <ImportPage /> },
					{ path: "users/:userId", element: <UserPage /> },
					{ path: "sessions", element: <SessionsTab /> },
					{ path: "policy", element: <PolicyTab /> },
					{ path: "sign-ins", element: <SignInsTab /> },
					{ path: "domains", element: <DomainsTab /> },
					{ path: "webhooks", element: <WebhooksTab /> },
					{ path: "audit", element: <AuditTab /> },
					{ path: "settings", element: <SettingsTab /> },
				],
			},
			{ path: "users", element: <FindUserPage /> },
			{ path: "audit", element: <AuditPage /> },
			{ path: "operators", element: <OperatorsPage /> },
			{ path: "keys", element: <KeysPage /> },
			{ path: "outbox", element: <OutboxPage /> },
			{ path: "*", element: <NotFoundPage /> },
		],
	},
];
