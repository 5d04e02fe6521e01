import type { Route } from "../../routes";

/** The endpoints that bring users into a tenant. The client loads this file. */
export const IMPORT_ROUTES = {
	importTenantUsers: { method: "POST", path: "/tenant/user/import", action: "user:import" },
	moveTenantUsers: { method: "POST", path: "/tenant/user/move", action: "user:move" },
} as const satisfies Record<string, Route>;
