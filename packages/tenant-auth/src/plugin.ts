import type { AuthContext, BetterAuthPlugin } from "@better-auth/core";
import { listTenantAuditEvents } from "./audit/list-audit-events";
import { recordVisitingDeeds } from "./audit/visiting-deeds";
import { guardTenantEndpoints } from "./email/captcha-endpoints";
import { signInEmailTenant } from "./email/sign-in-email";
import { signUpEmailTenant } from "./email/sign-up-email";
import { TENANT_AUTH_ERROR_CODES } from "./error-codes";
import { tenantLoginOptions } from "./login-options/login-options";
import { withTenantMails } from "./mails/tenant-mails";
import { explainMalformedJson, noteCallOfOurs } from "./malformed-json";
import { deleteTenantOAuthConfig } from "./oauth-configs/delete-oauth-config";
import { listTenantOAuthConfigs } from "./oauth-configs/list-oauth-configs";
import { registerTenantOAuthConfig } from "./oauth-configs/register-oauth-config";
import { updateTenantOAuthConfig } from "./oauth-configs/update-oauth-config";
import { hasShortKey, resolveOptions, type TenantAuthOptions } from "./options";
import { hashBeforeSignUp } from "./passwords/hash-before-sign-up";
import { queuePasswords } from "./passwords/queued-passwords";
import { limitTenantEndpoints, rateLimits } from "./rate-limits";
import { refusePlugins } from "./refused-plugins";
import { requireSameEmailColumn, tenantSchema } from "./schema";
import { scopeDatabase, scopeStores } from "./scope/install-scope";
import { openRequestStates } from "./scope/scope";
import { scopeHooks, withScopeAroundHooks } from "./scope/scope-hooks";
import { scopeStorage } from "./scope/scoped-storage";
import { stampTenant } from "./scope/stamp-tenant";
import { whenInitialized } from "./scope/when-initialized";
import { separateOrigins, stampOrigin } from "./social/account-origin";
import { ambientProviders } from "./social/ambient-providers";
import { tenantOAuthCallback } from "./social/callback";
import { effectiveTenantOAuthConfigs } from "./social/effective-oauth-configs";
import { signInSocialTenant } from "./social/sign-in-social";
import { resumeTenant } from "./suspension/resume-tenant";
import { suspendTenant } from "./suspension/suspend-tenant";
import { createTenant } from "./tenants/create-tenant";
import { deleteTenant } from "./tenants/delete-tenant";
import { getTenant } from "./tenants/get-tenant";
import { listTenants } from "./tenants/list-tenants";
import { updateTenant } from "./tenants/update-tenant";
import { warnOfLeftovers } from "./upgrade/warn-of-leftovers";
import { deleteTenantUser } from "./users/delete-user";
import { getTenantUser } from "./users/get-user";
import { listTenantSessions } from "./users/list-sessions";
import { listTenantUsers } from "./users/list-users";
import { revokeTenantSession } from "./users/revoke-session";
import { revokeTenantUserSessions } from "./users/revoke-user-sessions";
import { sendTenantPasswordReset } from "./users/send-password-reset";
import { deleteUsersWhole } from "./whole-user-deletion";

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
	const queue = resolved.passwordQueue;
	return {
		id: "tenant-auth",
		schema: tenantSchema(options.schema),
		init: async (ctx: AuthContext) => {
			await openRequestStates();
			refusePlugins(ctx);
			requireSameEmailColumn(ctx.options, options.schema);
			if (hasShortKey(resolved)) {
				ctx.logger.warn("tenantAuth: a management key of less than 16 characters can be guessed");
			}
			warnOfLeftovers(ctx);
			guardTenantEndpoints(ctx);
			limitTenantEndpoints(ctx);
			scopeDatabase(ctx, resolved);
			if (queue) ctx.password = queuePasswords(ctx.password, queue);
			whenInitialized(ctx, () => {
				ctx.internalAdapter = separateOrigins(scopeStores(ctx));
				ctx.internalAdapter = deleteUsersWhole(ctx);
				ctx.secondaryStorage &&= scopeStorage(ctx.secondaryStorage);
				ctx.socialProviders = ambientProviders(ctx, resolved);
				ctx.options = withScopeAroundHooks(withTenantMails(ctx), resolved);
				if (queue) hashBeforeSignUp(ctx);
			});
			return { options: { databaseHooks: { ...stampTenant, ...stampOrigin } } };
		},
		onRequest: noteCallOfOurs,
		onResponse: explainMalformedJson,
		hooks: { ...scopeHooks, after: [...(scopeHooks.after ?? []), recordVisitingDeeds] },
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
