export interface Route {
	method: "GET" | "POST";
	path: `/tenant/${string}`;
	/** What a caller must be allowed to do. A route without an action is public. */
	action?: `${string}:${string}`;
	/** The call may create a session or change its user, so the client reads its session again. */
	createsSession?: true;
}

/**
 * Every endpoint that the typed client can call, by its name in `auth.api`.
 *
 * The server, the typed client, the documents and the tests all read this list. The client loads this
 * file, so it imports nothing.
 */
export const ROUTES = {
	createTenant: { method: "POST", path: "/tenant/create", action: "tenant:create" },
	getTenant: { method: "GET", path: "/tenant/get", action: "tenant:get" },
	listTenants: { method: "GET", path: "/tenant/list", action: "tenant:list" },
	updateTenant: { method: "POST", path: "/tenant/update", action: "tenant:update" },
	deleteTenant: { method: "POST", path: "/tenant/delete", action: "tenant:delete" },
	suspendTenant: { method: "POST", path: "/tenant/suspend", action: "tenant:suspend" },
	resumeTenant: { method: "POST", path: "/tenant/resume", action: "tenant:resume" },

	getTenantPolicy: { method: "GET", path: "/tenant/policy/get", action: "policy:get" },
	updateTenantPolicy: { method: "POST", path: "/tenant/policy/update", action: "policy:update" },

	currentTenant: { method: "GET", path: "/tenant/current" },
	tenantPermissions: { method: "GET", path: "/tenant/permissions" },
	tenantLoginOptions: { method: "GET", path: "/tenant/login-options" },
	signUpEmailTenant: { method: "POST", path: "/tenant/sign-up/email", createsSession: true },
	signInEmailTenant: { method: "POST", path: "/tenant/sign-in/email", createsSession: true },
	signInSocialTenant: { method: "POST", path: "/tenant/sign-in/social", createsSession: true },

	registerTenantOAuthConfig: {
		method: "POST",
		path: "/tenant/oauth-config/register",
		action: "oauth-config:register",
	},
	listTenantOAuthConfigs: {
		method: "GET",
		path: "/tenant/oauth-config/list",
		action: "oauth-config:list",
	},
	updateTenantOAuthConfig: {
		method: "POST",
		path: "/tenant/oauth-config/update",
		action: "oauth-config:update",
	},
	deleteTenantOAuthConfig: {
		method: "POST",
		path: "/tenant/oauth-config/delete",
		action: "oauth-config:delete",
	},
	effectiveTenantOAuthConfigs: {
		method: "GET",
		path: "/tenant/oauth-config/effective",
		action: "oauth-config:effective",
	},

	listTenantUsers: { method: "GET", path: "/tenant/user/list", action: "user:list" },
	getTenantUser: { method: "GET", path: "/tenant/user/get", action: "user:get" },
	createTenantUser: { method: "POST", path: "/tenant/user/create", action: "user:create" },
	updateTenantUser: { method: "POST", path: "/tenant/user/update", action: "user:update" },
	disableTenantUser: { method: "POST", path: "/tenant/user/disable", action: "user:disable" },
	enableTenantUser: { method: "POST", path: "/tenant/user/enable", action: "user:enable" },
	impersonateTenantUser: {
		method: "POST",
		path: "/tenant/user/impersonate",
		action: "user:impersonate",
		createsSession: true,
	},
	deleteTenantUser: { method: "POST", path: "/tenant/user/delete", action: "user:delete" },
	revokeTenantUserSessions: {
		method: "POST",
		path: "/tenant/user/revoke-sessions",
		action: "user:revoke-sessions",
	},
	sendTenantPasswordReset: {
		method: "POST",
		path: "/tenant/user/send-password-reset",
		action: "user:send-password-reset",
	},
	removeTenantSecondFactor: {
		method: "POST",
		path: "/tenant/user/remove-second-factor",
		action: "user:remove-second-factor",
	},
	removeTenantPasskeys: {
		method: "POST",
		path: "/tenant/user/remove-passkeys",
		action: "user:remove-passkeys",
	},
	createTenantSignInLink: {
		method: "POST",
		path: "/tenant/user/sign-in-link",
		action: "user:sign-in-link",
	},
	listTenantSessions: { method: "GET", path: "/tenant/session/list", action: "session:list" },
	revokeTenantSession: { method: "POST", path: "/tenant/session/revoke", action: "session:revoke" },

	listTenantAuditEvents: { method: "GET", path: "/tenant/audit/list", action: "audit:list" },
	eraseTenantAuditEvents: { method: "POST", path: "/tenant/audit/erase", action: "audit:erase" },
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
