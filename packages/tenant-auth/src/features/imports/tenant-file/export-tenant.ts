import type { AuthContext } from "@better-auth/core";
import { BetterAuthError } from "@better-auth/core/error";
import type { AnyAuth } from "../../../call/context/current-state";
import { exists } from "../../../call/context/gate";
import { findTenantRow } from "../../../call/context/tenant";
import { decryptedValues } from "../../../database/encrypted-values";
import { createThrottle } from "../../../database/throttle";
import { type Row, requireIsolated } from "../../../isolation/raw-adapter";
import { findById } from "../../../isolation/row-owners";
import { tenantError } from "../../../tenant-error";
import {
	describeRow,
	type FirstLine,
	firstLineOf,
	type LastLine,
	type RowLine,
	Tally,
} from "./file-lines";
import {
	type Database,
	type FileTable,
	findFileTables,
	KnownValues,
	readRows,
} from "./file-tables";

/**
 * Everything of a tenant as lines of text, for a backup, for a person who asks for the data of a tenant, or
 * to move the tenant into another app with `importTenant`.
 *
 * **The lines are secret.** They have password hashes, and in plaintext what the app stores encrypted:
 * OAuth credentials, second factors, signing keys. Encrypt them before you write them anywhere. Sessions,
 * codes, and access and refresh tokens are not among them: people sign in again.
 *
 * Suspend the tenant first if you move it. Otherwise what changes meanwhile may be missing.
 *
 * @example
 * ```ts
 * for await (const line of exportTenant(auth, tenantId)) await write(`${line}\n`);
 * ```
 *
 * @throws APIError `TENANT_NOT_FOUND`
 * @throws BetterAuthError if a stored secret cannot be decrypted
 */
export async function* exportTenant(auth: AnyAuth, tenantId: string): AsyncGenerator<string> {
	const ctx = (await auth.$context) as AuthContext;
	const tenant = await findTenantRow(ctx, "id", tenantId);
	if (!exists(tenant)) throw tenantError("TENANT_NOT_FOUND");
	const { raw, settings } = requireIsolated(ctx.adapter);
	const tables = findFileTables(ctx, settings);
	const columns = Object.fromEntries(tables.map((table) => [table.model, [...table.columns]]));
	const first: FirstLine = {
		exportedAt: new Date().toISOString(),
		tenant,
		formerSlugs: await findFormerSlugs(raw, tenantId),
		columns,
	};
	yield firstLineOf(first);
	const known = new KnownValues(tables);
	const tally = new Tally(columns);
	const throttle = createThrottle();
	for (const table of tables) {
		for await (const rows of readRows(raw, table, tenantId)) {
			// The others were made after the rows that they refer to had been read.
			for (const stored of rows.filter((row) => known.hasParents(table, row))) {
				const line = await toLine(ctx, table, stored);
				known.add(table, line.row);
				await tally.add(table.model, line.row);
				yield JSON.stringify(line);
			}
			await throttle();
		}
	}
	// Otherwise some of its rows were gone already.
	if (!exists(await findTenantRow(ctx, "id", tenantId))) throw tenantError("TENANT_NOT_FOUND");
	yield JSON.stringify({ tables: tally.tables() } satisfies LastLine);
}

/** A row as a line of the file. */
export async function toLine(ctx: AuthContext, table: FileTable, stored: Row): Promise<RowLine> {
	const { model, columns, encrypted } = table;
	const secrets = await decryptedValues(ctx, encrypted, stored).catch(() => {
		// Not the cause: it may contain a part of the plaintext.
		throw new BetterAuthError(
			`exportTenant: ${describeRow(model, stored)} has a value that no secret of the app decrypts. inspectStoredSecrets(auth) lists such rows`,
		);
	});
	const values = Object.fromEntries(columns.map((name) => [name, stored[name] ?? null]));
	const names = Object.keys(secrets);
	return {
		model,
		row: { id: String(stored.id), ...values, ...secrets },
		...(names.length > 0 ? { secrets: names } : {}),
	};
}

async function findFormerSlugs(raw: Database, tenantId: string): Promise<string[]> {
	const slugs: string[] = [];
	const where = [{ field: "tenantId", value: tenantId }];
	for await (const rows of findById<{ slug: string }>(raw, { model: "tenantFormerSlug", where })) {
		slugs.push(...rows.map(({ slug }) => slug));
	}
	return slugs;
}
