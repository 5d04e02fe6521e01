import type { AuthContext, BetterAuthPlugin } from "@better-auth/core";
import { openRequestStates } from "./context/scope";
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
import { whenInitialized } from "./installation/after-init";
import { recordVisitingDeeds } from "./installation/audit-admin-plugin";
import { guardTenantEndpoints } from "./installation/captcha";
import { scopeDatabase, scopeStores } from "./installation/database";
import { withTenantMails } from "./installation/email-callbacks";
import { scopeHooks, withScopeAroundHooks } from "./installation/hooks";
import { explainMalformedJson, noteCallOfOurs } from "./installation/malformed-json";
import { hashBeforeSignUp } from "./installation/password-queue/hash-before-sign-up";
import { queuePasswords } from "./installation/password-queue/passwords";
import { limitTenantEndpoints, rateLimits } from "./installation/rate-limits";
import { ambientProviders } from "./installation/social-providers";
import { refusePlugins } from "./installation/unsupported-plugins";
import { stampTenant } from "./isolation/stamp-tenant";
import { scopeStorage } from "./isolation/storage";
import { separateOrigins, stampOrigin } from "./oauth-clients/account-issuer";
import { hasShortKey, resolveOptions, type TenantAuthOptions } from "./options";
import { requireSameEmailColumn, tenantSchema } from "./schema";
import { warnOfLeftovers } from "./upgrade/warn-of-leftovers";
import { deleteUsersWhole } from "./users/whole-user-deletion";

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
