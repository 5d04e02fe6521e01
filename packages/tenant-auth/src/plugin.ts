import type { AuthContext, BetterAuthPlugin } from "@better-auth/core";
import { openRequestStates } from "./context/scope";
import { makeEndpoints } from "./endpoints";
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
		endpoints: makeEndpoints(resolved),
		options,
		$ERROR_CODES: TENANT_AUTH_ERROR_CODES,
	} satisfies BetterAuthPlugin;
};
