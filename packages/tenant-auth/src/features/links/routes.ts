import type { Route } from "../../routes";

/** The endpoints of linked users. The client loads this file. */
export const LINK_ROUTES = {
	startTenantLink: { method: "POST", path: "/tenant/link/start" },
	finishTenantLink: { method: "POST", path: "/tenant/link/finish" },
	listTenantLinks: { method: "GET", path: "/tenant/link/list" },
	switchTenantLink: { method: "POST", path: "/tenant/link/switch", createsSession: true },
	endTenantLinks: { method: "POST", path: "/tenant/link/end" },
	getTenantLinkSettings: {
		method: "GET",
		path: "/tenant/link-settings/get",
		action: "link-settings:get",
	},
	updateTenantLinkSettings: {
		method: "POST",
		path: "/tenant/link-settings/update",
		action: "link-settings:update",
	},
} as const satisfies Record<string, Route>;
