export interface Route {
	method: "GET" | "POST";
	path: `/tenant/${string}`;
	/** What a caller must be allowed to do. A route without an action is public. */
	action?: `${string}:${string}`;
	/** The call may create a session or change its user, so the client reads its session again. */
	createsSession?: true;
}

type Path = Route["path"];
type Action = NonNullable<Route["action"]>;

const get = <P extends Path, A extends Action>(path: P, action: A) =>
	({ method: "GET", path, action }) as const;
const post = <P extends Path, A extends Action>(path: P, action: A) =>
	({ method: "POST", path, action }) as const;

/**
 * Every endpoint that the typed client can call, by its name in `auth.api`.
 *
 * The server, the typed client, the documents and the tests all read this list. The client loads this
 * file, so it imports nothing.
 */
export const ROUTES = {
	createTenant: post("/tenant/create", "tenant:create"),
	getTenant: get("/tenant/get", "tenant:get"),
	listTenants: get("/tenant/list", "tenant:list"),
	updateTenant: post("/tenant/update", "tenant:update"),
	deleteTenant: post("/tenant/delete", "tenant:delete"),
	suspendTenant: post("/tenant/suspend", "tenant:suspend"),
	resumeTenant: post("/tenant/resume", "tenant:resume"),

	getTenantPolicy: get("/tenant/policy/get", "policy:get"),
	updateTenantPolicy: post("/tenant/policy/update", "policy:update"),

	currentTenant: { method: "GET", path: "/tenant/current" },
	tenantPermissions: { method: "GET", path: "/tenant/permissions" },
	tenantLoginOptions: { method: "GET", path: "/tenant/login-options" },
	signUpEmailTenant: { method: "POST", path: "/tenant/sign-up/email", createsSession: true },
	signInEmailTenant: { method: "POST", path: "/tenant/sign-in/email", createsSession: true },
	signInSocialTenant: { method: "POST", path: "/tenant/sign-in/social", createsSession: true },

	registerTenantOAuthConfig: post("/tenant/oauth-config/register", "oauth-config:register"),
	listTenantOAuthConfigs: get("/tenant/oauth-config/list", "oauth-config:list"),
	updateTenantOAuthConfig: post("/tenant/oauth-config/update", "oauth-config:update"),
	deleteTenantOAuthConfig: post("/tenant/oauth-config/delete", "oauth-config:delete"),
	effectiveTenantOAuthConfigs: get("/tenant/oauth-config/effective", "oauth-config:effective"),

	listTenantUsers: get("/tenant/user/list", "user:list"),
	getTenantUser: get("/tenant/user/get", "user:get"),
	createTenantUser: post("/tenant/user/create", "user:create"),
	updateTenantUser: post("/tenant/user/update", "user:update"),
	disableTenantUser: post("/tenant/user/disable", "user:disable"),
	enableTenantUser: post("/tenant/user/enable", "user:enable"),
	impersonateTenantUser: {
		method: "POST",
		path: "/tenant/user/impersonate",
		action: "user:impersonate",
		createsSession: true,
	},
	deleteTenantUser: post("/tenant/user/delete", "user:delete"),
	revokeTenantUserSessions: post("/tenant/user/revoke-sessions", "user:revoke-sessions"),
	sendTenantPasswordReset: post("/tenant/user/send-password-reset", "user:send-password-reset"),
	removeTenantSecondFactor: post("/tenant/user/remove-second-factor", "user:remove-second-factor"),
	removeTenantPasskeys: post("/tenant/user/remove-passkeys", "user:remove-passkeys"),
	createTenantSignInLink: post("/tenant/user/sign-in-link", "user:sign-in-link"),
	listTenantSessions: get("/tenant/session/list", "session:list"),
	revokeTenantSession: post("/tenant/session/revoke", "session:revoke"),

	listTenantAuditEvents: get("/tenant/audit/list", "audit:list"),
	eraseTenantAuditEvents: post("/tenant/audit/erase", "audit:erase"),
} as const satisfies Record<string, Route>;

type Routes = typeof ROUTES;

export type RouteName = keyof Routes;

/** The names of the routes that have an action. */
type ManagementRouteName = {
	[Name in RouteName]: Routes[Name] extends { action: string } ? Name : never;
}[RouteName];

/** The actions of this plugin. */
export type CoreAction = Routes[ManagementRouteName]["action"];

/** What a caller wants to do when it manages tenants: a {@link CoreAction}, or an action of a plugin. */
export type ManagementAction = `${string}:${string}`;
