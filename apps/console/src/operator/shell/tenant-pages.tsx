import type { ManagementAction } from "better-auth-tenant";
import type { ReactNode } from "react";
import type { RouteObject } from "react-router";
import { EmptyState } from "../../ui/feedback";
import {
	AppsIcon,
	DevicesIcon,
	GlobeIcon,
	KeyIcon,
	LockIcon,
	LogIcon,
	MailIcon,
	OverviewIcon,
	PaletteIcon,
	SettingsIcon,
	ShieldIcon,
	SignInIcon,
	SyncIcon,
	UsersIcon,
	WebhookIcon,
} from "../../ui/icons";
import { ApplicationPage } from "../applications/ApplicationPage";
import { ApplicationsPage } from "../applications/ApplicationsPage";
import { OfTenant } from "../applications/application-owner";
import { NewApplicationPage } from "../applications/NewApplicationPage";
import { AuditTab } from "../audit/AuditTab";
import { BrandingTab } from "../branding/BrandingTab";
import { useMayInTenant } from "../current-tenant/tenant-context";
import { DirectoryTab } from "../directory/DirectoryTab";
import { DomainsTab } from "../domains/DomainsTab";
import { MailsTab } from "../mails/MailsTab";
import { PolicyTab } from "../policy/PolicyTab";
import { ProvidersTab } from "../providers/ProvidersTab";
import { SamlTab } from "../saml/SamlTab";
import { SignInsTab } from "../sign-ins/SignInsTab";
import { OverviewTab } from "../tenants/OverviewTab";
import { SettingsTab } from "../tenants/SettingsTab";
import { ImportPage } from "../users/ImportPage";
import { InvitationsTab } from "../users/InvitationsTab";
import { SessionsTab } from "../users/SessionsTab";
import { UserPage } from "../users/UserPage";
import { UsersTab } from "../users/UsersTab";
import { WebhooksTab } from "../webhooks/WebhooksTab";
import type { NavPage } from "./pages";

type Page = {
	/** Below the tenant's first page. Empty for the first page itself. */
	path: string;
	element: ReactNode;
	/** What somebody must be allowed to do to see the page. */
	action?: ManagementAction;
};

type ListedPage = Page & { title: string; icon: ReactNode };

/** The pages of a tenant that the navigation lists, in their order. */
const LISTED: ListedPage[] = [
	{ path: "", title: "Overview", icon: <OverviewIcon />, element: <OverviewTab /> },
	{
		path: "users",
		title: "Users",
		icon: <UsersIcon />,
		element: <UsersTab />,
		action: "user:list",
	},
	{
		path: "sessions",
		title: "Sessions",
		icon: <DevicesIcon />,
		element: <SessionsTab />,
		action: "session:list",
	},
	{
		path: "sign-ins",
		title: "Sign-ins",
		icon: <SignInIcon />,
		element: <SignInsTab />,
		action: "sign-in:list",
	},
	{
		path: "branding",
		title: "Branding",
		icon: <PaletteIcon />,
		element: <BrandingTab />,
		action: "tenant:update",
	},
	{
		path: "policy",
		title: "Policy",
		icon: <ShieldIcon />,
		element: <PolicyTab />,
		action: "policy:get",
	},
	{
		path: "providers",
		title: "Providers",
		icon: <KeyIcon />,
		element: <ProvidersTab />,
		action: "oauth-config:effective",
	},
	{
		path: "applications",
		title: "Applications",
		icon: <AppsIcon />,
		element: (
			<OfTenant>
				<ApplicationsPage />
			</OfTenant>
		),
		action: "application:list",
	},
	{
		path: "domains",
		title: "Domains",
		icon: <GlobeIcon />,
		element: <DomainsTab />,
		action: "domain:list",
	},
	{
		path: "saml",
		title: "SAML",
		icon: <LockIcon />,
		element: <SamlTab />,
		action: "saml:get",
	},
	{
		path: "directory",
		title: "Directory",
		icon: <SyncIcon />,
		element: <DirectoryTab />,
		action: "scim:get",
	},
	{
		path: "webhooks",
		title: "Webhooks",
		icon: <WebhookIcon />,
		element: <WebhooksTab />,
		action: "webhook:list",
	},
	{
		path: "emails",
		title: "Emails",
		icon: <MailIcon />,
		element: <MailsTab />,
		action: "mail-template:list",
	},
	{
		path: "audit",
		title: "Audit log",
		icon: <LogIcon />,
		element: <AuditTab />,
		action: "audit:list",
	},
	{
		path: "settings",
		title: "Settings",
		icon: <SettingsIcon />,
		element: <SettingsTab />,
		action: "tenant:get",
	},
];

/** The pages that other pages lead to. */
const OTHERS: Page[] = [
	{ path: "users/invitations", element: <InvitationsTab />, action: "invitation:list" },
	{ path: "users/import", element: <ImportPage />, action: "user:import" },
	{
		path: "applications/new",
		element: (
			<OfTenant>
				<NewApplicationPage />
			</OfTenant>
		),
		action: "application:create",
	},
	{
		path: "applications/:clientId",
		element: (
			<OfTenant>
				<ApplicationPage shown="connection" />
			</OfTenant>
		),
		action: "application:get",
	},
	{
		path: "applications/:clientId/settings",
		element: (
			<OfTenant>
				<ApplicationPage shown="settings" />
			</OfTenant>
		),
		action: "application:get",
	},
	{ path: "users/:userId", element: <UserPage />, action: "user:get" },
];

/**
 * The routes of a tenant's pages. They are mounted twice: for operators and for the tenant's own
 * administrators.
 */
export const tenantRoutes: RouteObject[] = [...LISTED, ...OTHERS].map(
	({ path, element, action }) => ({
		...(path === "" ? { index: true } : { path }),
		element: <Allowed action={action}>{element}</Allowed>,
	}),
);

/** The links to a tenant's pages. `home` is the path of the first one. */
export const tenantLinks = (home: string, may: (action: ManagementAction) => boolean): NavPage[] =>
	LISTED.filter(({ action }) => action === undefined || may(action)).map(
		({ path, title, icon }) => ({
			to: path ? `${home}/${path}` : home || "/",
			title,
			icon,
			end: path === "",
		}),
	);

/** The path of the listed page to which this page belongs. Empty for the first page. */
export const listedPath = (below: string): string =>
	LISTED.find(({ path }) => path !== "" && `${below}/`.startsWith(`${path}/`))?.path ?? "";

type AllowedProps = { action: ManagementAction | undefined; children: ReactNode };

/** A user who opens a page that they may not see gets an explanation, not a failed call. */
function Allowed({ action, children }: AllowedProps) {
	const may = useMayInTenant();
	if (action === undefined || may(action)) return children;
	return (
		<>
			<h1 className="visually-hidden">Not allowed</h1>
			<EmptyState title="You may not see this page">
				Your role does not include <code>{action}</code>.
			</EmptyState>
		</>
	);
}
