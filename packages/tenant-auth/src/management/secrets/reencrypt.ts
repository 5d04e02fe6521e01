import { BetterAuthError } from "@better-auth/core/error";
import { type AnyAuth, acrossTenants } from "../../call/context/current-state";
import { encryptedTables } from "../../call/context/encrypted-tables";
import type { EncryptedTable } from "../../database/encrypted-fields";
import { reencryptedValues, rowStateOf } from "../../database/encrypted-values";
import {
	describeRow,
	type EncryptedRow,
	type SecretContext,
	type StoredSecret,
	secretContextOf,
	walkTable,
} from "./inspect";

export interface ReencryptProgress {
	/** Number of checked rows. */
	done: number;
	/** Number of rows at the start. */
	total: number;
	/** Number of re-encrypted rows. */
	reencrypted: number;
}

/** The rows of one table that have something encrypted. */
export interface ReencryptedTable {
	total: number;
	reencrypted: number;
	unreadable: number;
}

export interface ReencryptReport extends ReencryptProgress {
	/** Rows with a value that no secret decrypts. They are unchanged. */
	unreadable: Omit<StoredSecret, "state">[];
	/** By table, each that the app has. */
	tables: Partial<Record<string, ReencryptedTable>>;
}

export interface ReencryptOptions {
	/** Called after each row. */
	onProgress?: (progress: ReencryptProgress) => void;
}

/**
 * Re-encrypts everything that is stored encrypted, of all tenants, with the newest of Better Auth's
 * versioned `secrets`: second factors with their recovery codes, tokens of accounts, signing keys, OAuth
 * credentials and the secrets of webhooks. If nothing is `unreadable` afterwards, the older secrets are no
 * longer needed.
 *
 * Run it when every instance has the new secret: an instance without it cannot read the result. You can
 * interrupt it and run it again. Requests may go on: a row is written only if it is still what was read.
 *
 * @example
 * ```ts
 * const { reencrypted, unreadable } = await reencryptStoredSecrets(auth, {
 *   onProgress: ({ done, total }) => console.log(`${done} of ${total}`),
 * });
 * ```
 *
 * @throws BetterAuthError if the instance has no versioned secrets
 */
export async function reencryptStoredSecrets(
	auth: AnyAuth,
	{ onProgress }: ReencryptOptions = {},
): Promise<ReencryptReport> {
	const ctx = await secretContextOf(auth);
	if (typeof ctx.secretConfig === "string") {
		throw new BetterAuthError(
			"reencryptStoredSecrets: there is no newer secret. Set `secrets` (BETTER_AUTH_SECRETS) with the newest first, and keep the current one as `secret`",
		);
	}
	const tables = encryptedTables(ctx);
	const report: ReencryptReport = {
		done: 0,
		total: await countRows(ctx, tables),
		reencrypted: 0,
		unreadable: [],
		tables: {},
	};
	for (const table of tables) {
		const own: ReencryptedTable = { total: 0, reencrypted: 0, unreadable: 0 };
		report.tables[table.model] = own;
		for await (const row of walkTable(ctx, table.model)) {
			const outcome = await reencryptRow(ctx, table, row);
			report.done += 1;
			if (outcome !== "nothing") own.total += 1;
			if (outcome === "reencrypted") {
				own.reencrypted += 1;
				report.reencrypted += 1;
			}
			if (outcome === "unreadable") {
				own.unreadable += 1;
				report.unreadable.push(describeRow(table.model, row));
			}
			const { done, total, reencrypted } = report;
			onProgress?.({ done, total, reencrypted });
		}
	}
	return report;
}

async function countRows({ adapter }: SecretContext, tables: readonly EncryptedTable[]) {
	let total = 0;
	for (const { model } of tables) total += await acrossTenants(() => adapter.count({ model }));
	return total;
}

async function reencryptRow(
	ctx: SecretContext,
	{ model, fields }: EncryptedTable,
	read: EncryptedRow,
): Promise<"reencrypted" | "current" | "unreadable" | "nothing"> {
	const byId = { field: "id", value: read.id };
	let row: EncryptedRow | null = read;
	// Retried: the row may change between two steps.
	for (let round = 0; row && round < 5; round += 1) {
		const state = await rowStateOf(ctx, fields, row);
		if (state !== "outdated") return state ?? "nothing";
		const values = await reencryptedValues(ctx, fields, row);
		const { updatedAt } = row;
		const query = {
			model,
			// Only if it is still what was read: a change meanwhile must not be undone.
			where: [
				byId,
				...Object.keys(values).map((field) => ({ field, value: row?.[field] as string })),
			],
			// Better Auth would set the date. But it is no change of the data.
			update: { ...values, ...(updatedAt instanceof Date ? { updatedAt } : {}) },
		};
		if ((await acrossTenants(() => ctx.adapter.updateMany(query))) > 0) return "reencrypted";
		const again = { model, where: [byId] };
		row = await acrossTenants(() => ctx.adapter.findOne<EncryptedRow>(again));
	}
	if (!row) return "nothing";
	throw new Error(`A row of ${model} kept changing while it was re-encrypted`);
}
