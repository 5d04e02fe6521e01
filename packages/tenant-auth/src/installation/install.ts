import type { AuthContext, BetterAuthOptions } from "@better-auth/core";
import { installInstance } from "../call/context/current-state";
import type { TenantInstance } from "../call/context/request-state";
import { findTenantRow } from "../call/context/tenant";
import { requireCustomHosts } from "../call/context/tenant-hosts";
import { isPossibleId } from "../call/context/tenant-id";
import { tenantLocks } from "../call/context/tenant-locks";
import { runsInWorkers } from "../call/context/workers";
import { collectFeatures, type Features } from "../call/port/features";
import { returnInsertedRows } from "../database/inserted-rows";
import { prepareTransactions } from "../database/transactions";
import { repeatLostWrites } from "../database/write-conflicts";
import { isolateCookieCache } from "../isolation/sessions";
import { isolateStorage, stampTenant } from "../isolation/storage";
import { CORE_GRANTS, requireValidRoles } from "../management/access/roles";
import { stampIssuer } from "../management/oauth-clients/account-issuer";
import { tenantReader } from "../management/oauth-clients/find-configs";
import { repeatLostSignIns } from "../management/oauth-clients/simultaneous-sign-ins";
import { isShortKey, type ResolvedOptions } from "../options";
import { SLUG_PATTERN } from "../rules";
import { requireSameEmailColumn } from "../schema";
import type { TenantAuthOptions } from "../tenant-auth-options";
import { requireOwnNames } from "../upgrade/declared-names";
import { startDatabaseCheck } from "../upgrade/start-check";
import { withTenantCaptcha } from "./captcha";
import { isolateDatabase } from "./database";
import { withTenantEmails } from "./email-callbacks";
import { withHooksAround } from "./hooks";
import {
	checkNewPasswords,
	hashBeforeSignUp,
	passwordChecks,
	queuePasswords,
	verifyByFeatures,
} from "./passwords";
import { providerClients } from "./provider-clients";
import { takeOverRateLimit } from "./rate-limits";
import { tenantAwareProviders } from "./social-providers";
import { isolateStores } from "./stages";
import {
	checkPluginOptions,
	checkPlugins,
	rejectUnsafeOptions,
	warnAboutNewerBetterAuth,
} from "./start-checks";
import { keepTableNames } from "./table-names";
import { rejectDoubleSlashes } from "./trusted-origins";

/**
 * Makes all changes to a Better Auth instance. Each step is a file of this folder that says what Better
 * Auth does, why a plugin has no better way, and what it assumes. `contract.test.ts` checks these
 * assumptions against the installed version. Objects of the app are not changed, only our copies; the
 * exceptions are `isolation/tenant-prefix.ts` and `table-names.ts`, which say why.
 */
export async function install(
	ctx: AuthContext,
	options: TenantAuthOptions,
	given: ResolvedOptions,
): Promise<{ options: Pick<BetterAuthOptions, "databaseHooks"> }> {
	warnAboutNewerBetterAuth(ctx);
	const features = collectFeatures(ctx.options.plugins ?? [], Object.keys(CORE_GRANTS));
	const resolved = withFeatures(given, features);
	requireValidRoles(resolved);
	checkPlugins(ctx, resolved);
	rejectUnsafeOptions(ctx, resolved);
	requireSameEmailColumn(ctx.options, options.schema);
	requireOwnNames(ctx.options);
	if (resolved.managementKeys.some(isShortKey)) {
		ctx.logger.warn("tenantAuth: a management key of less than 16 characters can be guessed");
	}
	if (!ctx.options.database) {
		ctx.logger.warn(
			"tenantAuth: there is no database, so tenants, users and sessions are in the memory of this process and end with it. Better Auth's stateless mode does not work with tenants",
		);
	}
	const databaseCheck = startDatabaseCheck(ctx);

	const readTenant = tenantReader(ctx);
	const instance: TenantInstance = {
		readTenant: async (id) => (isPossibleId(ctx.options, id) ? readTenant(id) : null),
		readTenantBySlug: async (slug) =>
			SLUG_PATTERN.test(slug) ? findTenantRow(ctx, "slug", slug) : null,
		customHosts: requireCustomHosts(resolved.hosts, features.hosts),
		// Not known before all plugins have started.
		hasOtherHooks: true,
		...passwordChecks(ctx, resolved),
		options: resolved,
		context: ctx,
		features,
	};
	await installInstance(ctx, instance);
	keepTableNames(ctx);
	await prepareTransactions(ctx, tenantLocks(ctx));
	returnInsertedRows(ctx);
	repeatLostWrites(ctx.adapter);
	isolateDatabase(ctx, resolved, instance);
	repeatLostSignIns(ctx.adapter);
	takeOverRateLimit(ctx);
	rejectDoubleSlashes(ctx);
	// Without a store, Better Auth renews sessions from their cookies alone, also those of a suspended
	// or deleted tenant. It keeps them in memory then, so nothing is lost.
	ctx.sessionConfig = { ...ctx.sessionConfig, cookieRefreshCache: false };
	ctx.password = verifyByFeatures(ctx, features.verifyPassword);
	// In Workers, waiting requests might never get their turn, and hashes do not run side by side anyway.
	const queue = runsInWorkers() ? false : resolved.passwordQueue;
	if (queue) ctx.password = queuePasswords(ctx.password, queue, instance);
	ctx.password = checkNewPasswords(ctx.password, instance);

	afterInit(ctx, () => {
		checkPluginOptions(ctx, resolved);
		const clientsOf = providerClients(ctx, instance);
		ctx.options = isolateCookieCache(ctx.options, instance);
		isolateStores(ctx, instance, clientsOf(undefined));
		ctx.secondaryStorage &&= isolateStorage(ctx.secondaryStorage, instance);
		ctx.socialProviders = tenantAwareProviders(ctx, clientsOf);
		const app = withTenantCaptcha(withTenantEmails(ctx));
		ctx.options = withHooksAround(app, instance, databaseCheck);
		if (queue) hashBeforeSignUp(ctx);
	});
	return { options: { databaseHooks: { ...stampTenant(instance), ...stampIssuer } } };
}

/** The options with what other plugins have added to them. */
function withFeatures(resolved: ResolvedOptions, features: Features): ResolvedOptions {
	const added = [...features.actions].map(([name, { grant }]) => [name, grant] as const);
	return {
		...resolved,
		grants: { ...CORE_GRANTS, ...Object.fromEntries(added) },
		impersonationPaths: [...resolved.impersonationPaths, ...features.impersonationPaths],
	};
}

/**
 * Runs `finish` after the `init` of every plugin.
 *
 * Better Auth has no hook for that. After all plugins it creates the internal adapter again, with all options
 * that plugins have added, and sets `ctx.options` last of all. So that assignment is our hook.
 * Whatever was in the context before was made from fewer options.
 */
function afterInit(ctx: AuthContext, finish: () => void): void {
	const before = ctx.options;
	const plain = { configurable: true, enumerable: true } as const;
	Object.defineProperty(ctx, "options", {
		...plain,
		get: () => before,
		set: (options: AuthContext["options"]) => {
			// A plain property again: core copies the context for each request.
			Object.defineProperty(ctx, "options", { ...plain, writable: true, value: options });
			finish();
		},
	});
}
