import type { AuthContext } from "@better-auth/core";
import { initGetDefaultModelName } from "@better-auth/core/db/adapter";
import { isProduction } from "@better-auth/core/env";
import { APIError, BASE_ERROR_CODES } from "@better-auth/core/error";
import type { TenantInstance } from "../call/context/request-state";
import { REFRESH_TOKENS } from "../call/foreign";
import { isTooLong, isUniqueViolation, violatedKey } from "../database/errors";
import { isWriteConflict } from "../database/write-conflicts";
import { isolateAdapter } from "../isolation/adapter";
import type { GrantSettings } from "../isolation/raw-adapter";
import { classifyTables, type TenantTables } from "../isolation/tables";
import { hidePrefix } from "../isolation/tenant-prefix";
import { secretCheck } from "../isolation/unreadable-secrets";
import { rowObserver } from "../management/events/row-events";
import type { ResolvedOptions } from "../options";
import { tenantError } from "../tenant-error";
import { reportStaleIndex } from "../upgrade/stale-indexes";

/**
 * Isolates the database adapter: from now on it keeps to the current scope.
 *
 * A plugin may return another adapter from `init`, but core registers its schema check by the identity
 * of the adapter. So ours is changed in place.
 */
export function isolateDatabase(
	ctx: AuthContext,
	options: ResolvedOptions,
	instance: TenantInstance,
): void {
	const modelKey = initGetDefaultModelName({
		usePlural: ctx.adapter.options?.adapterConfig.usePlural,
		schema: ctx.tables,
	});
	const tables = classifyTables(ctx.tables, modelKey, options, instance.features);
	reportSharedTables(ctx, tables, options);
	for (const [model, { fields }] of Object.entries(ctx.tables)) {
		for (const name of tables.prefixedFieldsOf(model)) {
			const field = fields[name];
			if (field) hidePrefix(field);
		}
	}
	isolateAdapter(ctx.adapter, {
		instance,
		tables,
		modelKey,
		translateError: (model, error) => {
			if (isTooLong(error)) return valueTooLong();
			if (isWriteConflict(error)) return writeConflict(ctx, error);
			if (model !== "user" || !isUniqueViolation(error) || namesAnother(ctx, tables, error))
				return error;
			reportStaleIndex(ctx, error);
			return emailTaken(ctx);
		},
		reusesIds: ctx.options.advanced?.database?.generateId === "serial",
		reportConflict: (model, tenantId) => reportConflict(ctx, model, tenantId),
		observer: rowObserver(instance),
		secretCheck: secretCheck(ctx),
		grants: grantSettings(ctx, options),
	});
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** The internal adapter is not complete yet. */
function grantSettings(ctx: AuthContext, { oauthGrants }: ResolvedOptions): GrantSettings | null {
	if (!(REFRESH_TOKENS in ctx.tables)) return null;
	return {
		maxAge: async (clientId) => {
			const { maxDays } = oauthGrants;
			return (typeof maxDays === "function" ? await maxDays({ clientId }) : maxDays) * DAY_MS;
		},
		outlivesSession: async (clientId) => oauthGrants.outlivesSession({ clientId }),
		markAsUsed: async (token) => {
			await ctx.internalAdapter.updateSession(token, { updatedAt: new Date() });
		},
	};
}

function reportSharedTables(
	{ logger, tables: all }: AuthContext,
	{ shared }: TenantTables,
	{ sharedTables }: ResolvedOptions,
): void {
	if (shared.length > 0) {
		logger.info(`tenantAuth: tables that all tenants share: ${shared.join(", ")}`);
	}
	const names = Object.entries(all).flatMap(([model, { modelName }]) => [model, modelName]);
	for (const name of sharedTables.filter((name) => !names.includes(name))) {
		logger.warn(`tenantAuth: sharedTables contains ${name}, but there is no such table`);
	}
}

/** Whether the index is of another unique column of the user, such as a username. */
function namesAnother(ctx: AuthContext, tables: TenantTables, error: unknown): boolean {
	// An ORM may write the columns in another case than Better Auth.
	const written = (name: string) => name.replaceAll("_", "").toLowerCase();
	const key = written(violatedKey(error));
	const columnOf = (field: string) => ctx.tables.user?.fields[field]?.fieldName ?? field;
	return tables.prefixedFieldsOf("user").some((field) => key.includes(written(columnOf(field))));
}

/** Nothing was written, so the caller can try again. */
function writeConflict({ logger }: AuthContext, error: unknown): APIError {
	if (error instanceof APIError) return error;
	logger.warn("tenantAuth: a write lost against another one", error);
	return tenantError("WRITE_CONFLICT");
}

/** Only texts from the caller can be too long, so it is not an error of the server. */
function valueTooLong(): APIError {
	return new APIError("BAD_REQUEST", {
		code: "VALIDATION_ERROR",
		message: "A value is longer than the database takes",
	});
}

/**
 * Two sign-ups with one email may race: the loser gets the response of a late caller. Where core hides
 * that an email is taken, it does so for a creation that fails with 403.
 */
function emailTaken({ options }: AuthContext): APIError {
	const { requireEmailVerification, autoSignIn } = options.emailAndPassword ?? {};
	const isHidden = requireEmailVerification || autoSignIn === false;
	return APIError.from(
		isHidden ? "FORBIDDEN" : "UNPROCESSABLE_ENTITY",
		BASE_ERROR_CODES.USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL,
	);
}

/**
 * Code in one tenant that asks for rows of another has a bug, unless a client sent the condition. The
 * query finds nothing. Outside of production it throws, so that the developer sees it.
 */
function reportConflict(ctx: AuthContext, model: string, tenantId: string): void {
	const error = tenantError("CROSS_TENANT_QUERY", {
		message: `A query of ${model} names the tenant ${JSON.stringify(tenantId)} while another one is in scope; runInTenant or runAcrossTenants may be what is wanted`,
	});
	ctx.logger.error(error.message, new Error("called").stack);
	if (!isProduction) throw error;
}
