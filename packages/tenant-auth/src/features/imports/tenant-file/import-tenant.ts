import type { AuthContext } from "@better-auth/core";
import type { AnyAuth } from "../../../call/context/current-state";
import { scopeOf } from "../../../call/context/tenant";
import { digest } from "../../../database/digest";
import { encryptedValues } from "../../../database/encrypted-values";
import { isUniqueViolation } from "../../../database/errors";
import { isWriteConflict, retryConflicts } from "../../../database/write-conflicts";
import { namedRows } from "../../../isolation/named-rows";
import {
	type AnyAdapter,
	type IsolationSettings,
	inTransaction,
	type Row,
	requireIsolated,
} from "../../../isolation/raw-adapter";
import { findOwners, idOf } from "../../../isolation/row-owners";
import { findPrefix, prefixValues } from "../../../isolation/tenant-prefix";
import { requireOwnTransaction } from "../transaction";
import { toLine } from "./export-tenant";
import {
	describeRow,
	type FirstLine,
	isSame,
	type LastLine,
	parseFirstLine,
	parseLine,
	type RowLine,
	refuseFile,
	Tally,
} from "./file-lines";
import {
	type Database,
	type FileTable,
	findByIds,
	findFileTables,
	KnownValues,
} from "./file-tables";
import { ImportedTenantRow } from "./tenant-row";

export interface ImportTenantOptions {
	/** Whether the tenant may take its slug, though a tenant that was deleted had it. */
	releaseSlug?: boolean;
}

export interface ImportTenantReport {
	tenantId: string;
	slug: string;
	/** Number of rows that were written. */
	written: number;
	/** Number of rows that were there already, from an import that was interrupted. */
	existing: number;
	/** Number of rows of each table. */
	tables: Record<string, number>;
}

/**
 * Imports a tenant from the lines of `exportTenant`, with the ids that it had. The app encrypts again what
 * was encrypted. The tenant is suspended until you resume it.
 *
 * If it is interrupted, run it again with the same file: it continues. Each row is read again after it was
 * written, and compared with the file. Whoever writes such a file decides who is an owner, and which domains
 * are verified: import only files that you trust.
 *
 * @example
 * ```ts
 * const { slug, tables } = await importTenant(auth, lines);
 * ```
 *
 * @throws BetterAuthError if the file is not complete, or does not fit this app
 * @throws APIError `TENANT_ALREADY_EXISTS`
 */
export async function importTenant(
	auth: AnyAuth,
	lines: AsyncIterable<string>,
	options: ImportTenantOptions = {},
): Promise<ImportTenantReport> {
	const ctx = (await auth.$context) as AuthContext;
	await requireOwnTransaction(ctx);
	let importing: TenantImport | undefined;
	let number = 0;
	let last: LastLine | undefined;
	for await (const line of lines) {
		number += 1;
		if (last) throw refuseFile(`line ${number} comes after the end`);
		if (!importing) {
			importing = await TenantImport.start(ctx, line, options);
			continue;
		}
		const parsed = parseLine(line, number);
		if ("tables" in parsed) last = parsed;
		else await importing.add(parsed, number);
	}
	if (!importing || !last) throw refuseFile("the file is not complete: its last line is missing");
	return importing.finish(last);
}

const BATCH = 100;

class TenantImport {
	readonly #tables: readonly FileTable[];
	readonly #known: KnownValues;
	readonly #tally: Tally;
	readonly #tenant: ImportedTenantRow;
	/** The ids of the table that is being read. */
	#ids = new Set<string>();
	readonly #begun = new Set<FileTable>();
	#lastTable: FileTable | null = null;
	#batch: { table: FileTable; lines: RowLine[] } | null = null;
	#written = 0;
	#existing = 0;

	private constructor(
		readonly ctx: AuthContext,
		readonly first: FirstLine,
		readonly raw: AnyAdapter,
		readonly settings: IsolationSettings,
		digestOfFirst: string,
	) {
		this.#tables = findFileTables(ctx, settings);
		this.#known = new KnownValues(this.#tables);
		this.#tally = new Tally(first.columns);
		this.#tenant = new ImportedTenantRow(ctx, first, digestOfFirst);
	}

	static async start(
		ctx: AuthContext,
		line: string,
		options: ImportTenantOptions,
	): Promise<TenantImport> {
		const { raw, settings } = requireIsolated(ctx.adapter);
		const first = parseFirstLine(line);
		const importing = new TenantImport(ctx, first, raw, settings, await digest(line));
		await importing.#tenant.start(raw, options);
		return importing;
	}

	async add(line: RowLine, number: number): Promise<void> {
		const table = this.#tables.find(({ model }) => model === line.model);
		if (!table) {
			throw refuseFile(
				`the file has rows of ${line.model}, and this app has no such table for tenants. Add the plugin that it belongs to`,
			);
		}
		if (this.#batch?.table !== table) await this.#begin(table);
		if (this.#ids.has(line.row.id))
			throw refuseFile(`line ${number} has an id for the second time`);
		this.#ids.add(line.row.id);
		const row = withKnownColumns(table, line.row);
		// Otherwise the row could belong to a user of another tenant.
		if (!this.#known.hasParents(table, row)) {
			throw refuseFile(`line ${number} refers to a row that is not before it in the file`);
		}
		this.#known.add(table, row);
		await this.#tally.add(line.model, row);
		this.#batch ??= { table, lines: [] };
		this.#batch.lines.push({ ...line, row });
		if (this.#batch.lines.length === BATCH) await this.#flush();
	}

	/** The rows of a table come together. So only the ids of one table are kept. */
	async #begin(table: FileTable): Promise<void> {
		await this.#flush();
		if (this.#lastTable === table) return;
		if (this.#begun.has(table)) throw refuseFile(`the rows of ${table.model} are not together`);
		this.#begun.add(table);
		this.#lastTable = table;
		this.#ids = new Set();
	}

	async #flush(): Promise<void> {
		const batch = this.#batch;
		this.#batch = null;
		if (!batch) return;
		const { table, lines } = batch;
		await this.#requireOwnLinks(table, lines);
		const written = await retryConflicts(() =>
			inTransaction(this.raw, (trx) => this.#write(trx, table, lines)),
		);
		this.#written += written;
		this.#existing += lines.length - written;
		await this.#compare(table, lines);
	}

	/** Whether the database has what was written, or was there already. */
	async #compare(table: FileTable, lines: readonly RowLine[]): Promise<void> {
		const ids = lines.map(({ row }) => row.id);
		const stored = new Map<string, Row>();
		for (const row of await findByIds(this.raw, table.model, ids)) {
			stored.set(idOf(row), (await toLine(this.ctx, table, row)).row);
		}
		const different = lines.find(({ row }) => !isSame(row, stored.get(row.id) ?? {}));
		if (!different) return;
		throw refuseFile(
			`the stored ${describeRow(table.model, different.row)} differs from the one in the file. The tenant stays suspended: delete it before you try again`,
		);
	}

	/** A link that no foreign key checks must not lead to a row of another tenant. */
	async #requireOwnLinks(
		{ model, otherLinks }: FileTable,
		lines: readonly RowLine[],
	): Promise<void> {
		for (const { column, target } of otherLinks) {
			const values = lines
				.map(({ row }) => row[column])
				.filter((value): value is string => typeof value === "string")
				.filter((value) => !this.#known.has(target, value));
			if (values.length === 0) continue;
			const where = [{ field: target.column, operator: "in" as const, value: values }];
			const query = { model: target.model, where, limit: values.length };
			const found = await this.raw.findMany<Row>(query);
			const stranger = await this.#findStranger(this.raw, target.model, found);
			if (stranger) {
				throw refuseFile(`${model}.${column} refers to a ${target.model} of another tenant`);
			}
		}
	}

	/** A stored row that belongs to another tenant. */
	async #findStranger(db: Database, model: string, rows: Row[]): Promise<Row | undefined> {
		const { hasTenantColumn } = this.#tables.find((it) => it.model === model) ?? {};
		const ownerOf = hasTenantColumn ? null : await findOwners(db, model, rows.map(idOf));
		const tenantId = this.first.tenant.id;
		return rows.find((row) => (ownerOf ? ownerOf(idOf(row)) : row.tenantId) !== tenantId);
	}

	async #write(trx: Database, table: FileTable, lines: readonly RowLine[]): Promise<number> {
		const { model, hasTenantColumn } = table;
		const tenantId = this.first.tenant.id;
		await this.#tenant.lock(trx);
		const ids = lines.map(({ row }) => row.id);
		const stored = await findByIds(trx, model, ids);
		const stranger = await this.#findStranger(trx, model, stored);
		if (stranger) throw refuseFile(`another tenant has ${describeRow(model, stranger)}`);
		const there = new Set(stored.map(idOf));
		const missing = lines.filter(({ row }) => !there.has(row.id));
		const prefix = await findPrefix(tenantId, this.settings.tables.prefixedFieldsOf(model));
		const { requireExclusive } = namedRows(trx, this.settings);
		for (const line of missing) {
			const data = await this.#toRow(table, line);
			await requireExclusive(model, data, scopeOf(this.first.tenant));
			await trx
				.create({ model, data: prefixValues(prefix, data), forceAllowId: true })
				.catch((error: unknown) => {
					if (isWriteConflict(error)) throw error;
					const reason = isUniqueViolation(error)
						? "has a value that must be unique, and another row has it already"
						: "cannot be written. A row of a table that is not in the file may be missing";
					const refused = refuseFile(`${describeRow(model, line.row)} ${reason}`);
					refused.cause = error;
					throw refused;
				});
			if (hasTenantColumn) continue;
			await trx.create({ model: "tenantRow", data: { model, rowId: line.row.id, tenantId } });
		}
		return missing.length;
	}

	async #toRow(table: FileTable, { row, secrets = [] }: RowLine): Promise<Row & { id: string }> {
		const { dates, hasTenantColumn, encrypted } = table;
		const dated = Object.fromEntries(
			Object.entries(row).map(([name, value]) => [
				name,
				dates.has(name) && typeof value === "string" ? new Date(value) : value,
			]),
		);
		const data = {
			...dated,
			id: row.id,
			...(hasTenantColumn ? { tenantId: this.first.tenant.id } : {}),
		};
		const fields = encrypted.filter(({ name }) => secrets.includes(name));
		return { ...data, ...(await encryptedValues(this.ctx, fields, data)) };
	}

	async finish({ tables }: LastLine): Promise<ImportTenantReport> {
		await this.#flush();
		const changed = this.#tally.findDifference(tables);
		if (changed) throw refuseFile(`the rows of ${changed} are not those that were exported`);
		await inTransaction(this.raw, (trx) => this.#tenant.finish(trx));
		const { id: tenantId, slug } = this.first.tenant;
		return {
			tenantId,
			slug,
			written: this.#written,
			existing: this.#existing,
			tables: Object.fromEntries(Object.entries(tables).map(([model, { rows }]) => [model, rows])),
		};
	}
}

/** A column that this app does not have is no problem if it has no value. */
function withKnownColumns({ model, columns }: FileTable, row: RowLine["row"]): RowLine["row"] {
	const entries = Object.entries(row).filter(
		([name, value]) => name === "id" || columns.includes(name) || value !== null,
	);
	const unknown = entries.find(([name]) => name !== "id" && !columns.includes(name));
	if (unknown) throw refuseFile(`this app has no column ${model}.${unknown[0]}`);
	return { ...Object.fromEntries(entries), id: row.id };
}
