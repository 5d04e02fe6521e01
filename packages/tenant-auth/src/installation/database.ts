import type { AuthContext } from "@better-auth/core";
import { initGetDefaultModelName } from "@better-auth/core/db/adapter";
import { isProduction } from "@better-auth/core/env";
import { APIError, BASE_ERROR_CODES } from "@better-auth/core/error";
import { findRequestScope, PLATFORM_ID } from "../context/scope";
import { isTooLong } from "../database/too-long";
import { isUniqueViolation, violatedKey } from "../database/unique-violation";
import { TENANT_AUTH_ERROR_CODES } from "../error-codes";
import { scopeAdapter } from "../isolation/adapter";
import { withScopedCookieCache } from "../isolation/cookie-cache";
import { refuseLateSessions } from "../isolation/late-sessions";
import { scopeSessions } from "../isolation/sessions";
import { classifyTables, type TenantTables } from "../isolation/tables";
import { hideMarks } from "../isolation/tenant-prefix";
import { scopeVerifications } from "../isolation/verifications";
import type { ResolvedOptions } from "../options";
import { holdTenant } from "../tenants/store";
import { reportOldIndex } from "../upgrade/old-index-violation";

type InternalAdapter = AuthContext["internalAdapter"];

/** Puts the scope under core: the adapter keeps to it from now on. */
export function scopeDatabase(ctx: AuthContext, options: ResolvedOptions): void {
	const modelKey = initGetDefaultModelName({
		usePlural: ctx.adapter.options?.adapterConfig.usePlural,
		schema: ctx.tables,
	});
	const tables = classifyTables(ctx.tables, modelKey, options);
	for (const [model, { fields }] of Object.entries(ctx.tables)) {
		for (const name of tables.uniqueFieldsOf(model)) {
			const field = fields[name];
			if (field) hideMarks(field);
		}
	}
	scopeAdapter(ctx.adapter, {
		tables,
		modelKey,
		holdTenant: async (database, { tenantId }) => {
			if (tenantId === PLATFORM_ID) return;
			await holdTenant(database, tenantId).catch((error) => {
				const request = findRequestScope();
				if (request) request.refusal = error;
				throw error;
			});
		},
		explainFailure: (model, error) => {
			if (isTooLong(error)) return tooLong();
			if (model !== "user" || !isUniqueViolation(error) || namesAnother(ctx, tables, error))
				return error;
			reportOldIndex(ctx, error);
			return addressTaken(ctx);
		},
		idsReturn: ctx.options.advanced?.database?.generateId === "serial",
		reportConflict: (model, tenantId) => reportConflict(ctx, model, tenantId),
	});
}

/**
 * What core keeps past the database adapter, in a secondary storage or in cookies, keeps to the scope
 * as well.
 */
export function scopeStores(ctx: AuthContext): InternalAdapter {
	ctx.options = withScopedCookieCache(ctx.options);
	const { secondaryStorage } = ctx.options;
	const sessions = refuseLateSessions(ctx, scopeSessions(ctx.internalAdapter, secondaryStorage));
	return scopeVerifications(sessions, secondaryStorage);
}

/** Whether it is another unique column of the user than the address, such as a username. */
function namesAnother(ctx: AuthContext, tables: TenantTables, error: unknown): boolean {
	// An ORM may write the columns in another case than Better Auth.
	const written = (name: string) => name.replaceAll("_", "").toLowerCase();
	const key = written(violatedKey(error));
	const columnOf = (field: string) => ctx.tables.user?.fields[field]?.fieldName ?? field;
	return tables.uniqueFieldsOf("user").some((field) => key.includes(written(columnOf(field))));
}

/** The caller's text, for nothing else has a length of its own: no failure of the server's. */
function tooLong(): APIError {
	return new APIError("BAD_REQUEST", {
		code: "VALIDATION_ERROR",
		message: "A value is longer than the database takes",
	});
}

/**
 * Two sign-ups of one address may race: the loser hears what a late caller would. Where core hides
 * that an address is taken, it does so for a refused creation with this status.
 */
function addressTaken({ options }: AuthContext): APIError {
	const { requireEmailVerification, autoSignIn } = options.emailAndPassword ?? {};
	const isHidden = requireEmailVerification || autoSignIn === false;
	return APIError.from(
		isHidden ? "FORBIDDEN" : "UNPROCESSABLE_ENTITY",
		BASE_ERROR_CODES.USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL,
	);
}

/**
 * Code in one tenant that asks for rows of another by name has a mistake in it, unless a client sent
 * the condition. It finds nothing; where somebody can still mend it, it stops there.
 */
function reportConflict(ctx: AuthContext, model: string, tenantId: string): void {
	const error = APIError.from("BAD_REQUEST", {
		...TENANT_AUTH_ERROR_CODES.CROSS_TENANT_QUERY,
		message: `A query of ${model} names the tenant ${JSON.stringify(tenantId)} while another one is in scope; runInTenant or runAcrossTenants may be what is wanted`,
	});
	ctx.logger.error(error.message, new Error("called").stack);
	if (!isProduction) throw error;
}
