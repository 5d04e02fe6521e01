import type { AuthContext } from "@better-auth/core";
import { APIError } from "@better-auth/core/error";
import { type AnyAuth, requireInstance } from "../../call/context/current-state";
import type { TenantScope } from "../../call/context/tenant";
import { lockOpenTenant, lockTenantRow } from "../../call/context/tenant-locks";
import { currentAdapter } from "../../database/current-adapter";
import { isUniqueViolation } from "../../database/errors";
import { createThrottle } from "../../database/throttle";
import { isWriteConflict, runRetried } from "../../database/write-conflicts";
import { type AnyAdapter, requireIsolated } from "../../isolation/raw-adapter";
import { keepsSessionsInDatabase } from "../../isolation/storage";
import { cutOffSessions } from "../../isolation/stored-sessions";
import { findPrefix } from "../../isolation/tenant-prefix";
import { storedRole } from "../../management/access/roles";
import type { AuditEntry } from "../../management/audit/audit-store";
import { mayEndOwnership } from "../../management/users/owners";
import type { ResolvedOptions } from "../../options";
import { findAccountIssuers } from "./account-issuers";
import { type ImportLine, type NumberedLine, parseJson, parseLine } from "./import-line";
import { type ImportResult, LineError } from "./import-result";
import type { ImportUsersOptions } from "./import-stream";
import { ImportWriter } from "./import-writer";
import { importableFields, requireFields } from "./line-fields";
import { passwordHashesOf } from "./options";
import { storeSecondFactor } from "./second-factor";
import { rewriteSessionsOf } from "./stored-users";
import { requireOwnTransaction } from "./transaction";

/** Lines in one transaction. */
const BATCH = 100;

export interface Importing {
	context: AuthContext;
	options: ResolvedOptions;
	scope: TenantScope;
	/** Writes an audit event in the current transaction. */
	record: (entry: AuditEntry) => Promise<void>;
	/** Each transaction is rolled back. So lines see only what other lines of their batch do. */
	dryRun: boolean;
}

/** Leaves the transaction of a dry run, which takes back everything. */
class RolledBack extends Error {
	constructor(readonly results: ImportResult[]) {
		super("rolled back");
	}
}

interface Numbered {
	number: number;
	line: ImportLine;
}

/**
 * Imports users. Every line is imported whole or not at all, and a line that fails does not stop the
 * others. Hooks of the app do not run, and the tenant's policy for sign-up does not apply.
 *
 * @throws APIError `TENANT_NOT_FOUND`, `TENANT_SUSPENDED`, `TRANSACTION_REQUIRED` for a dry run
 */
export async function importLines(
	importing: Importing,
	lines: readonly NumberedLine[],
): Promise<ImportResult[]> {
	if (importing.dryRun) await requireOwnTransaction(importing.context);
	const results: ImportResult[] = [];
	const throttle = createThrottle();
	let batch: Numbered[] = [];
	const flush = async () => {
		if (batch.length > 0) results.push(...(await importBatch(importing, batch)));
		batch = [];
		await throttle();
	};
	for (const { number, value } of lines.filter(({ value }) => !isBlank(value))) {
		const parsed = await tryLine(importing, value, number);
		if ("status" in parsed) {
			results.push(parsed);
			continue;
		}
		// The second one updates what the first one has created.
		const isRepeated = batch.some(({ line }) => line.externalId === parsed.line.externalId);
		if (isRepeated || batch.length === BATCH) await flush();
		batch.push(parsed);
	}
	await flush();
	return results.sort((one, other) => one.line - other.line);
}

const isBlank = (value: unknown) => typeof value === "string" && value.trim() === "";

async function tryLine(
	{ context, options }: Pick<Importing, "context" | "options">,
	value: unknown,
	number: number,
): Promise<Numbered | ImportResult> {
	const hasOwnHash = context.options.emailAndPassword?.password?.hash !== undefined;
	const fields = importableFields(context.options);
	let parsed = value;
	try {
		if (typeof value === "string") parsed = parseJson(value);
		const passwordHashes = passwordHashesOf(context);
		const rules = { roles: options.roles, passwordHashes, hasOwnHash, fields, context };
		return { number, line: await parseLine(parsed, rules) };
	} catch (error) {
		const { externalId }: { externalId?: unknown } = Object(parsed);
		return failed(number, typeof externalId === "string" ? externalId : null, error);
	}
}

function failed(number: number, externalId: string | null, error: unknown): ImportResult {
	if (!(error instanceof LineError)) throw error;
	const { code, message } = error;
	return { line: number, externalId, status: "failed", userId: null, code, message };
}

/**
 * Checks users as `importUsers` does, for a tenant that does not exist yet. It knows the fields, the roles
 * and the kinds of password hashes, and reads nothing from the database.
 *
 * @example
 * ```ts
 * for await (const { line, status, message } of checkImportedUsers(auth, lines)) {
 *   if (status === "failed") console.error(line, message);
 * }
 * ```
 */
export async function* checkImportedUsers(
	auth: AnyAuth,
	lines: ImportUsersOptions["lines"],
): AsyncGenerator<ImportResult> {
	const context = (await auth.$context) as AuthContext;
	const { options } = requireInstance(context);
	let number = 0;
	for await (const value of lines) {
		number += 1;
		if (isBlank(value)) continue;
		const checked = await tryLine({ context, options }, value, number);
		if ("status" in checked) {
			yield checked;
			continue;
		}
		const { externalId, fields } = checked.line;
		try {
			requireFields(fields, importableFields(context.options));
			const done = { status: "created", userId: null, code: null, message: null } as const;
			yield { line: number, externalId, ...done };
		} catch (error) {
			yield failed(number, externalId, error);
		}
	}
}

/** Imports lines in one transaction. If one of them fails in the database, each gets its own. */
async function importBatch(importing: Importing, batch: Numbered[]): Promise<ImportResult[]> {
	try {
		return await writeBatch(importing, batch);
	} catch (error) {
		if (error instanceof RolledBack) return error.results;
		const reason = asLineError(error);
		const [only, ...more] = batch;
		if (!only || !reason) throw error;
		if (more.length === 0) return [failed(only.number, only.line.externalId, reason)];
	}
	const results: ImportResult[] = [];
	for (const one of batch) results.push(...(await importBatch(importing, [one])));
	return results;
}

/** An error that belongs to one line: another call has written the same meanwhile, or a text is too long. */
function asLineError(error: unknown): LineError | null {
	if (isUniqueViolation(error) || isWriteConflict(error)) {
		return new LineError("WRITE_CONFLICT", "Another call changes the same user, try again");
	}
	const isInvalid = error instanceof APIError && error.body?.code === "VALIDATION_ERROR";
	return isInvalid ? new LineError("VALIDATION_ERROR", error.message) : null;
}

async function writeBatch(
	{ context, scope, record, dryRun }: Importing,
	batch: Numbered[],
): Promise<ImportResult[]> {
	const issuers = await findAccountIssuers(
		context,
		scope,
		batch.flatMap(({ line: { accounts = [] } }) => accounts.map(({ providerId }) => providerId)),
	);
	const done = await runRetried(context.adapter, async () => {
		const { raw: database, settings } = requireIsolated(currentAdapter(context.adapter));
		// First, because it changes the row. See `lockOpenTenant`.
		if (batch.some(({ line }) => mayEndOwnershipOf(line))) {
			await lockTenantRow(database, scope.tenantId);
		}
		await lockOpenTenant(database, scope.tenantId);
		const writer = await ImportWriter.open(
			database,
			scope,
			batch.map(({ line }) => line),
			{
				issuers,
				fields: importableFields(context.options),
				prefix: await findPrefix(scope.tenantId, settings.tables.prefixedFieldsOf("user")),
				addSecondFactor: (userId, secret) =>
					storeSecondFactor({ context, database, settings, scope }, userId, secret),
			},
		);
		const results: ImportResult[] = [];
		for (const { number, line } of batch) {
			try {
				const done = await writer.write(line);
				const { externalId } = line;
				results.push({ line: number, externalId, ...done, code: null, message: null });
			} catch (error) {
				results.push(failed(number, line.externalId, error));
			}
		}
		// Before anything that a rollback does not undo.
		if (dryRun) throw new RolledBack(results.map(withoutNewUser));
		const count = (status: string) => results.filter((it) => it.status === status).length;
		const detail = { created: count("created"), updated: count("updated") };
		if (detail.created + detail.updated > 0) {
			await record({ action: "user:import", tenantId: scope.tenantId, detail });
		}
		// Last: if the storage fails, nothing is imported.
		for (const userId of writer.disabled) await endAllSessions(context, database, userId);
		return { results, changed: writer.changed };
	});
	await refreshStoredUsers(context, done.changed);
	return done.results;
}

/** Whether a line may take the role of an owner from a user. */
const mayEndOwnershipOf = ({ role, disabled }: ImportLine): boolean =>
	mayEndOwnership({ tenantRole: storedRole(role), disabledAt: disabled });

/** The user that a dry run has created does not exist. */
const withoutNewUser = (result: ImportResult): ImportResult =>
	result.status === "created" ? { ...result, userId: null } : result;

/** As core ends them, in all stores. */
async function endAllSessions(
	context: AuthContext,
	database: AnyAdapter,
	userId: string,
): Promise<void> {
	const model = "session";
	const where = [{ field: "userId", value: userId }];
	if (keepsSessionsInDatabase(context)) {
		const isKept = context.options.session?.preserveSessionInDatabase === true;
		if (isKept) await database.updateMany({ model, where, update: { expiresAt: new Date() } });
		else await database.deleteMany({ model, where });
	}
	await cutOffSessions(context, userId);
}

/** The import is done. If the storage fails now, sessions show their user as before. */
async function refreshStoredUsers(context: AuthContext, userIds: string[]): Promise<void> {
	await rewriteSessionsOf(context, userIds, (session) => session).catch((error: unknown) => {
		context.logger.error("tenantAuth: sessions still contain imported users as before", error);
	});
}
