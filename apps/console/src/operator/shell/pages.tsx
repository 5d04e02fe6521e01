import type { ReactNode } from "react";
import {
	AppsIcon,
	KeyIcon,
	LogIcon,
	MailIcon,
	OverviewIcon,
	ServerIcon,
	ShieldIcon,
	TenantsIcon,
	UserIcon,
	UsersIcon,
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
	{ to: "/applications", title: "Applications", icon: <AppsIcon />, action: "application:list" },
	{ to: "/audit", title: "Audit log", icon: <LogIcon />, action: "audit:list" },
	{ to: "/operators", title: "Operators", icon: <ShieldIcon />, action: "operator:list" },
	{ to: "/keys", title: "Keys", icon: <KeyIcon />, action: "key:list" },
	{ to: "/service", title: "Service", icon: <ServerIcon />, action: "service:metrics" },
];

const OUTBOX: ServicePage = {
	to: "/outbox",
	title: "Outbox",
	icon: <MailIcon />,
	action: "service:outbox",
};

/** The link to it is next to the button that signs out. */
export const ACCOUNT_PAGE: NavPage = { to: "/account", title: "Your account", icon: <UserIcon /> };

/** The pages about all tenants that the operator may see. */
export const servicePages = (
	{ outbox }: { outbox: boolean },
	may: (action: string) => boolean,
): NavPage[] =>
	[...SERVICE_PAGES, ...(outbox ? [OUTBOX] : [])].filter(
		({ action }) => action === undefined || may(action),
	);
