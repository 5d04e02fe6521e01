import { Outlet, type RouteObject } from "react-router";
import { AccountPage } from "./account/AccountPage";
import { ApplicationPage } from "./applications/ApplicationPage";
import { ApplicationsPage } from "./applications/ApplicationsPage";
import { OfService } from "./applications/application-owner";
import { NewApplicationPage } from "./applications/NewApplicationPage";
import { AuditPage } from "./audit/AuditPage";
import { KeysPage } from "./keys/KeysPage";
import { CrashPage, NotFoundPage } from "./layout";
import { OperatorGate } from "./OperatorGate";
import { OperatorsPage } from "./operators/OperatorsPage";
import { OutboxPage } from "./outbox/OutboxPage";
import { OverviewPage } from "./overview/OverviewPage";
import { ServicePage } from "./service/ServicePage";
import { ForgotPasswordPage, NewPasswordPage } from "./session/password-pages";
import { tenantRoutes } from "./shell/tenant-pages";
import { ImportTenantPage } from "./tenants/ImportTenantPage";
import { NewTenantPage } from "./tenants/NewTenantPage";
import { TenantPage } from "./tenants/TenantPage";
import { TenantsPage } from "./tenants/TenantsPage";
import { FindUserPage } from "./users/FindUserPage";

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
			{ path: "tenants/import", element: <ImportTenantPage /> },
			{
				path: "tenants/:tenantId",
				element: <TenantPage />,
				children: tenantRoutes,
			},
			{ path: "users", element: <FindUserPage /> },
			{
				path: "applications",
				element: (
					<OfService>
						<Outlet />
					</OfService>
				),
				children: [
					{ index: true, element: <ApplicationsPage /> },
					{ path: "new", element: <NewApplicationPage /> },
					{ path: ":clientId", element: <ApplicationPage shown="connection" /> },
					{ path: ":clientId/settings", element: <ApplicationPage shown="settings" /> },
				],
			},
			{ path: "audit", element: <AuditPage /> },
			{ path: "operators", element: <OperatorsPage /> },
			{ path: "account", element: <AccountPage /> },
			{ path: "keys", element: <KeysPage /> },
			{ path: "service", element: <ServicePage /> },
			{ path: "outbox", element: <OutboxPage /> },
			{ path: "*", element: <NotFoundPage /> },
		],
	},
];
