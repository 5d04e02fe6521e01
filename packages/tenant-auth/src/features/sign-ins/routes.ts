import type { Route } from "../../routes";

/** The endpoint of the sign-in log. The client loads this file. */
export const SIGN_IN_ROUTES = {
	listTenantSignIns: { method: "GET", path: "/tenant/sign-in/list", action: "sign-in:list" },
} as const satisfies Record<string, Route>;
