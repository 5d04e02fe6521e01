import type { Route } from "../../routes";

/** The endpoints of domains. The client loads this file. */
export const DOMAIN_ROUTES = {
	addTenantDomain: { method: "POST", path: "/tenant/domain/add", action: "domain:add" },
	listTenantDomains: { method: "GET", path: "/tenant/domain/list", action: "domain:list" },
	verifyTenantDomain: { method: "POST", path: "/tenant/domain/verify", action: "domain:verify" },
	updateTenantDomain: { method: "POST", path: "/tenant/domain/update", action: "domain:update" },
	removeTenantDomain: { method: "POST", path: "/tenant/domain/remove", action: "domain:remove" },
	askTenantDomain: { method: "GET", path: "/tenant/domain/ask" },
	discoverTenant: { method: "GET", path: "/tenant/discover" },
} as const satisfies Record<string, Route>;
