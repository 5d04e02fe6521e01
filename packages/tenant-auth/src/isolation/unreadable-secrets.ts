import type { AuthContext } from "@better-auth/core";
import { findEndpoint, findState } from "../call/context/current-state";
import { encryptedTables } from "../call/context/encrypted-tables";
import { ALL_TENANTS } from "../call/context/tenant";
import type { EncryptedField } from "../database/encrypted-fields";
import { encryptionStateOf } from "../database/encrypted-values";
import { tenantError } from "../tenant-error";
import type {
	FindMany,
	FindOne,
	IsolationSettings,
	Methods,
	Row,
	SecretCheck,
} from "./raw-adapter";

/**
 * Refuses to use a stored value that no secret of the app decrypts, for example if an old secret was removed
 * before everything was re-encrypted. Better Auth would return 500, without a word about the cause.
 *
 * Only who uses the value gets the error: a row with such a value can still be read, replaced and deleted.
 */
export function secretCheck(ctx: AuthContext): SecretCheck {
	let fieldsByModel: Map<string, readonly EncryptedField[]> | undefined;
	const isReadable = readableValues(ctx);
	return (model) => {
		// Plugins may add options until all have started.
		fieldsByModel ??= new Map(encryptedTables(ctx).map(({ model, fields }) => [model, fields]));
		const fields = fieldsByModel.get(model)?.filter(isWatched) ?? [];
		if (fields.length === 0) return null;
		return async (rows) => {
			for (const field of fields) {
				for (const row of rows) {
					if (await isReadable(field, row)) continue;
					if (field.ifUnreadable !== "refuse") report(ctx, model, field, row);
					else refuseUse(ctx, model, field, row);
				}
			}
		};
	};
}

/** Signing keys are read at almost every request of an app, so what was readable is remembered. */
const MAX_REMEMBERED = 500;

function readableValues(ctx: AuthContext) {
	const known = new Set<unknown>();
	return async (field: EncryptedField, row: Row): Promise<boolean> => {
		const stored = row[field.name];
		if (known.has(stored)) return true;
		if ((await encryptionStateOf(ctx, field, row)) === "unreadable") return false;
		if (known.size >= MAX_REMEMBERED) known.clear();
		known.add(stored);
		return true;
	};
}

function isWatched({ ifUnreadable }: EncryptedField): boolean {
	if (typeof ifUnreadable === "string") return ifUnreadable === "refuse";
	return ifUnreadable.logAt.includes(findEndpoint()?.path ?? "");
}

function refuseUse(ctx: AuthContext, model: string, field: EncryptedField, row: Row): void {
	Object.defineProperty(row, field.name, {
		configurable: true,
		enumerable: true,
		get: () => {
			report(ctx, model, field, row);
			throw tenantError("STORED_SECRET_DECRYPT_FAILED");
		},
	});
}

function report({ logger }: AuthContext, model: string, { name }: EncryptedField, row: Row): void {
	logger.error(
		`tenantAuth: no secret decrypts ${model}.${name} of the row ${row.id}. Add the secret that encrypted it to \`secrets\` (BETTER_AUTH_SECRETS) or \`secret\` (BETTER_AUTH_SECRET), and remove it only after everything was re-encrypted`,
	);
}

/** Makes the reads of an isolated adapter check what they find. */
export function checkSecrets(
	methods: Methods,
	{ secretCheck, modelKey }: IsolationSettings,
): Pick<Methods, "findOne" | "findMany"> {
	/** Almost all reads are of tables without secrets, and cost nothing more. */
	const findCheck = (model: string) => {
		const check = secretCheck(modelKey(model));
		// Code that re-encrypts or inspects the values of all tenants reads them without us.
		return check && findState()?.scope !== ALL_TENANTS ? check : null;
	};
	return {
		findOne: async <T>(query: FindOne) => {
			const row = await methods.findOne<T>(query);
			const check = row && findCheck(query.model);
			if (check) await check([row as Row]);
			return row;
		},
		findMany: async <T>(query: FindMany) => {
			const rows = await methods.findMany<T>(query);
			const check = rows.length > 0 && findCheck(query.model);
			if (check) await check(rows as Row[]);
			return rows;
		},
	};
}
