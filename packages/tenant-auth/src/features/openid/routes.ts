import type { Route } from "../../routes";

/** The endpoint of own identity providers. The client loads this file. */
export const OPENID_ROUTES = {
	testTenantOAuthConfig: {
		method: "POST",
		path: "/tenant/oauth-config/test",
		action: "connection:test",
	},
} as const satisfies Record<string, Route>;
