import type { AuthContext, BetterAuthPlugin } from "@better-auth/core";
import { listTenantAuditEvents } from "./endpoints/audit-events";
import { deleteTenantOAuthConfig } from "./endpoints/oauth-configs/delete";
import { effectiveTenantOAuthConfigs } from "./endpoints/oauth-configs/effective";
import { listTenantOAuthConfigs } from "./endpoints/oauth-configs/list";
import { registerTenantOAuthConfig } from "./endpoints/oauth-configs/register";
import { updateTenantOAuthConfig } from "./endpoints/oauth-configs/update";
import { tenantOAuthCallback } from "./endpoints/sign-in/callback";
import { signInEmailTenant } from "./endpoints/sign-in/email";
import { tenantLoginOptions } from "./endpoints/sign-in/login-options";
import { signUpEmailTenant } from "./endpoints/sign-in/sign-up";
import { signInSocialTenant } from "./endpoints/sign-in/social";
import { createTenant } from "./endpoints/tenants/create";
import { deleteTenant } from "./endpoints/tenants/delete";
import { getTenant } from "./endpoints/tenants/get";
import { listTenants } from "./endpoints/tenants/list";
import { resumeTenant } from "./endpoints/tenants/resume";
import { suspendTenant } from "./endpoints/tenants/suspend";
import { updateTenant } from "./endpoints/tenants/update";
import { deleteTenantUser } from "./endpoints/users/delete";
import { getTenantUser } from "./endpoints/users/get";
import { listTenantUsers } from "./endpoints/users/list";
import { listTenantSessions } from "./endpoints/users/list-sessions";
import { revokeTenantSession } from "./endpoints/users/revoke-session";
import { revokeTenantUserSessions } from "./endpoints/users/revoke-sessions";
import { sendTenantPasswordReset } from "./endpoints/users/send-password-reset";
import { TENANT_AUTH_ERROR_CODES } from "./error-codes";
import { auditActingAdmins } from "./installation/audit-admin-plugin";
import { endpointHooks } from "./installation/hooks";
import { install } from "./installation/install";
import { rememberOurRequest, replaceMalformedJson } from "./installation/malformed-json";
import { rateLimits } from "./installation/rate-limits";
import { resolveOptions, type TenantAuthOptions } from "./options";
import { tenantSchema } from "./schema";

declare module "@better-auth/core" {
	interface BetterAuthPluginRegistry<AuthOptions, Options> {
		"tenant-auth": { creator: typeof tenantAuth };
	}
}

/**
 * Tenants for Better Auth: users, sessions, accounts and OAuth clients that belong to one.
 *
 * @example
 * ```ts
 * export const auth = betterAuth({
 *   emailAndPassword: { enabled: true },
 *   plugins: [tenantAuth({ managementKeys: [process.env.MANAGEMENT_KEY as string] })],
 * });
 * ```
 */
export const tenantAuth = (options: TenantAuthOptions = {}) => {
	const resolved = resolveOptions(options);
	return {
		id: "tenant-auth",
		schema: tenantSchema(options.schema),
		init: (ctx: AuthContext) => install(ctx, options, resolved),
		onRequest: rememberOurRequest,
		onResponse: replaceMalformedJson,
		hooks: { ...endpointHooks, after: [...(endpointHooks.after ?? []), auditActingAdmins] },
		rateLimit: rateLimits,
		endpoints: {
			createTenant: createTenant(resolved),
			getTenant: getTenant(resolved),
			listTenants: listTenants(resolved),
			updateTenant: updateTenant(resolved),
			deleteTenant: deleteTenant(resolved),
			signUpEmailTenant: signUpEmailTenant(resolved),
			signInEmailTenant: signInEmailTenant(resolved),
			registerTenantOAuthConfig: registerTenantOAuthConfig(resolved),
			listTenantOAuthConfigs: listTenantOAuthConfigs(resolved),
			updateTenantOAuthConfig: updateTenantOAuthConfig(resolved),
			deleteTenantOAuthConfig: deleteTenantOAuthConfig(resolved),
			signInSocialTenant: signInSocialTenant(resolved),
			tenantOAuthCallback: tenantOAuthCallback(),
			tenantLoginOptions: tenantLoginOptions(),
			effectiveTenantOAuthConfigs: effectiveTenantOAuthConfigs(resolved),
			suspendTenant: suspendTenant(resolved),
			resumeTenant: resumeTenant(resolved),
			listTenantUsers: listTenantUsers(resolved),
			getTenantUser: getTenantUser(resolved),
			deleteTenantUser: deleteTenantUser(resolved),
			revokeTenantUserSessions: revokeTenantUserSessions(resolved),
			sendTenantPasswordReset: sendTenantPasswordReset(resolved),
			listTenantSessions: listTenantSessions(resolved),
			revokeTenantSession: revokeTenantSession(resolved),
			listTenantAuditEvents: listTenantAuditEvents(resolved),
		},
		options,
		$ERROR_CODES: TENANT_AUTH_ERROR_CODES,
	} satisfies BetterAuthPlugin;
};
