import type { ResolvedOptions } from "../options";
import type { ROUTES, RouteName } from "../routes";
import { listTenantAuditEvents } from "./audit-events";
import { deleteTenantOAuthConfig } from "./oauth-configs/delete";
import { effectiveTenantOAuthConfigs } from "./oauth-configs/effective";
import { listTenantOAuthConfigs } from "./oauth-configs/list";
import { registerTenantOAuthConfig } from "./oauth-configs/register";
import { updateTenantOAuthConfig } from "./oauth-configs/update";
import { tenantOAuthCallback } from "./sign-in/callback";
import { signInEmailTenant } from "./sign-in/email";
import { tenantLoginOptions } from "./sign-in/login-options";
import { signUpEmailTenant } from "./sign-in/sign-up";
import { signInSocialTenant } from "./sign-in/social";
import { createTenant } from "./tenants/create";
import { deleteTenant } from "./tenants/delete";
import { getTenant } from "./tenants/get";
import { listTenants } from "./tenants/list";
import { resumeTenant } from "./tenants/resume";
import { suspendTenant } from "./tenants/suspend";
import { updateTenant } from "./tenants/update";
import { deleteTenantUser } from "./users/delete";
import { getTenantUser } from "./users/get";
import { listTenantUsers } from "./users/list";
import { listTenantSessions } from "./users/list-sessions";
import { revokeTenantSession } from "./users/revoke-session";
import { revokeTenantUserSessions } from "./users/revoke-sessions";
import { sendTenantPasswordReset } from "./users/send-password-reset";

/** A route without its endpoint does not compile. */
type EveryRoute = {
	[Name in RouteName]: (options: ResolvedOptions) => { path: (typeof ROUTES)[Name]["path"] };
};

const endpoints = {
	createTenant,
	getTenant,
	listTenants,
	updateTenant,
	deleteTenant,
	suspendTenant,
	resumeTenant,
	tenantLoginOptions,
	signUpEmailTenant,
	signInEmailTenant,
	signInSocialTenant,
	tenantOAuthCallback,
	registerTenantOAuthConfig,
	listTenantOAuthConfigs,
	updateTenantOAuthConfig,
	deleteTenantOAuthConfig,
	effectiveTenantOAuthConfigs,
	listTenantUsers,
	getTenantUser,
	deleteTenantUser,
	revokeTenantUserSessions,
	sendTenantPasswordReset,
	listTenantSessions,
	revokeTenantSession,
	listTenantAuditEvents,
} satisfies EveryRoute & { tenantOAuthCallback: object };

export type Endpoints = { [Name in keyof typeof endpoints]: ReturnType<(typeof endpoints)[Name]> };

/** The endpoints of one instance of the plugin. */
export function makeEndpoints(options: ResolvedOptions): Endpoints {
	const made = Object.entries(endpoints).map(([name, make]) => [name, make(options)]);
	return Object.fromEntries(made) as Endpoints;
}
