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

/** The pages about all tenants. */
export const servicePages = ({ outbox }: { outbox: boolean }): NavPage[] => [
	{ to: "/", title: "Overview", icon: <OverviewIcon />, end: true },
	{ to: "/tenants", title: "Tenants", icon: <TenantsIcon />, end: true },
	{ to: "/users", title: "Find a user", icon: <UsersIcon /> },
	{ to: "/audit", title: "Audit log", icon: <LogIcon /> },
	...(outbox ? [{ to: "/outbox", title: "Outbox", icon: <MailIcon /> }] : []),
];

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
