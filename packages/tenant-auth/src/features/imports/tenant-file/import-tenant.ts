import type { AuthContext } from "@better-auth/core";
import type { AnyAuth } from "../../../call/context/current-state";
import { encryptedValues } from "../../../database/encrypted-values";
import { isUniqueViolation } from "../../../database/errors";
import { retryConflicts } from "../../../database/write-conflicts";
import {
	type IsolationSettings,
	inTransaction,
	type Row,
	requireIsolated,
} from "../../../isolation/raw-adapter";
import { findOwners, idOf } from "../../../isolation/row-owners";
import { findPrefix, prefixValues } from "../../../isolation/tenant-prefix";
import { toLine } from "./export-tenant";
import {
	describeRow,
	type FirstLine,
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
import { importTenantRow } from "./tenant-row";

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
 * If it is interrupted, run it again: it continues. At the end it reads all rows again, and compares their
 * numbers and digests with those of the file.
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
	let importing: TenantImport | undefined;
	let number = 0;
	let last: LastLine | undefined;
	for await (const line of lines) {
		number += 1;
		if (last) throw refuseFile(`line ${number} comes after the end`);
		if (!importing) {
			importing = await TenantImport.start(ctx, parseFirstLine(line), options);
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
	/** What the file has. */
	readonly #read: Tally;
	/** The same rows, as the database has them afterwards. */
	readonly #stored: Tally;
	#batch: { table: FileTable; lines: RowLine[] } | null = null;
	#written = 0;
	#existing = 0;

	private constructor(
		readonly ctx: AuthContext,
		readonly first: FirstLine,
		readonly raw: ReturnType<typeof requireIsolated>["raw"],
		readonly settings: IsolationSettings,
	) {
		this.#tables = findFileTables(ctx, settings);
		this.#known = new KnownValues(this.#tables);
		this.#read = new Tally(first.columns);
		this.#stored = new Tally(first.columns);
	}

	static async start(
		ctx: AuthContext,
		first: FirstLine,
		options: ImportTenantOptions,
	): Promise<TenantImport> {
		const { raw, settings } = requireIsolated(ctx.adapter);
		const importing = new TenantImport(ctx, first, raw, settings);
		await importTenantRow(ctx, raw, first, options);
		return importing;
	}

	async add(line: RowLine, number: number): Promise<void> {
		const table = this.#tables.find(({ model }) => model === line.model);
		if (!table) {
			throw refuseFile(
				`the file has rows of ${line.model}, and this app has no such table for tenants. Add the plugin that it belongs to`,
			);
		}
		const column = Object.keys(line.row).find((it) => it !== "id" && !table.columns.includes(it));
		if (column) throw refuseFile(`this app has no column ${line.model}.${column}`);
		// Otherwise the row could belong to a user of another tenant.
		if (!this.#known.hasParents(table, line.row)) {
			throw refuseFile(`line ${number} refers to a row that is not before it in the file`);
		}
		this.#known.add(table, line.row);
		await this.#read.add(line.model, line.row);
		if (this.#batch && this.#batch.table !== table) await this.#flush();
		this.#batch ??= { table, lines: [] };
		this.#batch.lines.push(line);
		if (this.#batch.lines.length === BATCH) await this.#flush();
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
		const ids = lines.map(({ row }) => row.id);
		for (const row of await findByIds(this.raw, table.model, ids)) {
			await this.#stored.add(table.model, (await toLine(this.ctx, table, row)).row);
		}
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
		const ids = lines.map(({ row }) => row.id);
		const stored = await findByIds(trx, model, ids);
		const stranger = await this.#findStranger(trx, model, stored);
		if (stranger) throw refuseFile(`another tenant has ${describeRow(model, stranger)}`);
		const there = new Set(stored.map(idOf));
		const missing = lines.filter(({ row }) => !there.has(row.id));
		const prefix = await findPrefix(tenantId, this.settings.tables.prefixedFieldsOf(model));
		for (const line of missing) {
			const data = await this.#toRow(table, line);
			await trx
				.create({ model, data: prefixValues(prefix, data), forceAllowId: true })
				.catch((error: unknown) => {
					throw isUniqueViolation(error)
						? refuseFile(
								`${describeRow(model, line.row)} has a value that must be unique, and another row has it already`,
							)
						: error;
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
		const changed = this.#read.findDifference(tables);
		if (changed) throw refuseFile(`the rows of ${changed} are not those that were exported`);
		const different = this.#stored.findDifference(tables);
		if (different) {
			throw refuseFile(
				`the stored rows of ${different} differ from those of the file. The tenant stays suspended: delete it before you try again`,
			);
		}
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
