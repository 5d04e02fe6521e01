import type { ReactNode } from "react";
import {
	DevicesIcon,
	GlobeIcon,
	KeyIcon,
	LogIcon,
	MailIcon,
	OverviewIcon,
	SettingsIcon,
	ShieldIcon,
	SignInIcon,
	TenantsIcon,
	UsersIcon,
	WebhookIcon,
} from "../../ui/icons";

export type NavPage = {
	to: string;
	title: string;
	icon: ReactNode;
	/** Whether it is current only at exactly this path. */
	end?: boolean;
};

type ServicePage = NavPage & {
	/** What an operator must be allowed to do. */
	action?: string;
};

const SERVICE_PAGES: ServicePage[] = [
	{ to: "/", title: "Overview", icon: <OverviewIcon />, end: true },
	{ to: "/tenants", title: "Tenants", icon: <TenantsIcon />, end: true },
	{ to: "/users", title: "Find a user", icon: <UsersIcon />, action: "user:list" },
	{ to: "/audit", title: "Audit log", icon: <LogIcon />, action: "audit:list" },
	{ to: "/operators", title: "Operators", icon: <ShieldIcon />, action: "operator:list" },
	{ to: "/keys", title: "Keys", icon: <KeyIcon />, action: "key:list" },
];

const OUTBOX: ServicePage = {
	to: "/outbox",
	title: "Outbox",
	icon: <MailIcon />,
	action: "service:outbox",
};

/** The pages about all tenants that the operator may see. */
export const servicePages = (
	{ outbox }: { outbox: boolean },
	may: (action: string) => boolean,
): NavPage[] =>
	[...SERVICE_PAGES, ...(outbox ? [OUTBOX] : [])].filter(
		({ action }) => action === undefined || may(action),
	);

/** The pages of one tenant. `home` is the path of the first one. */
export const tenantPages = (home: string): NavPage[] => [
	{ to: home, title: "Overview", icon: <OverviewIcon />, end: true },
	{ to: `${home}/users`, title: "Users", icon: <UsersIcon /> },
	{ to: `${home}/sessions`, title: "Sessions", icon: <DevicesIcon /> },
	{ to: `${home}/sign-ins`, title: "Sign-ins", icon: <SignInIcon /> },
	{ to: `${home}/policy`, title: "Policy", icon: <ShieldIcon /> },
	{ to: `${home}/providers`, title: "Providers", icon: <KeyIcon /> },
	{ to: `${home}/domains`, title: "Domains", icon: <GlobeIcon /> },
	{ to: `${home}/webhooks`, title: "Webhooks", icon: <WebhookIcon /> },
	{ to: `${home}/audit`, title: "Audit log", icon: <LogIcon /> },
	{ to: `${home}/settings`, title: "Settings", icon: <SettingsIcon /> },
];
