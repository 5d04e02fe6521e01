import type { AuthContext } from "@better-auth/core";
import type { DBTransactionAdapter, Where } from "@better-auth/core/db/adapter";
import { BetterAuthError } from "@better-auth/core/error";
import { encryptedTables } from "../../../call/context/encrypted-tables";
import { EXPIRING_TABLES } from "../../../call/foreign";
import type { EncryptedField } from "../../../database/encrypted-fields";
import type { IsolationSettings, Row } from "../../../isolation/raw-adapter";
import { findById, withIds } from "../../../isolation/row-owners";
import { findForeignKeys } from "../../../isolation/tables";
import { findReferences, type Reference } from "../references";

export type Database = DBTransactionAdapter;

/** A table whose rows are in the file of a tenant. */
export interface FileTable {
	model: string;
	/** Whether its rows name their tenant. If not, the table `tenantRow` does. */
	hasTenantColumn: boolean;
	/** Without `id`, and without the tenant. */
	columns: readonly string[];
	dates: ReadonlySet<string>;
	encrypted: readonly EncryptedField[];
	/** Columns that name a row of the file, by a foreign key of the database. */
	foreignKeys: readonly Link[];
	/** Columns that may name a row of any other table of the file. */
	otherLinks: readonly Link[];
}

interface Link {
	column: string;
	target: { model: string; column: string };
}

/** Tables of this plugin that have their own place in the file, or follow from it. */
const APART = ["tenant", "tenantRow", "tenantFormerSlug"];

/** Tables of this plugin with a column for the tenant. */
const OWN_WITH_COLUMN = ["tenantOauthConfig", "tenantAuditEvent"];

/** What ends sooner or later anyway. A copy of it must not make it valid again, or do its work twice. */
const SHORT_LIVED = [
	...["session", "verification", "tenantLink", "tenantWebhookDelivery"],
	...EXPIRING_TABLES,
];

/** The same for columns: tokens of a provider. A provider that rotates them would end one of two copies. */
const SHORT_LIVED_COLUMNS: Readonly<Record<string, readonly string[]>> = {
	account: [
		...["accessToken", "refreshToken", "idToken"],
		...["accessTokenExpiresAt", "refreshTokenExpiresAt"],
	],
};

/** The tables of a tenant's file. A table comes after those that its foreign keys name. */
export function findFileTables(
	ctx: Pick<AuthContext, "options" | "tables">,
	isolation: Pick<IsolationSettings, "tables" | "instance">,
): FileTable[] {
	const { tables } = ctx;
	const explicit = [...isolation.instance.features.tables]
		.filter(([, kind]) => kind === "explicit")
		.map(([model]) => model);
	const withColumn = (model: string) =>
		isolation.tables.strategyOf(model) === "column" ||
		OWN_WITH_COLUMN.includes(model) ||
		explicit.includes(model);
	const candidates = Object.keys(tables).filter(
		(model) =>
			!APART.includes(model) &&
			!SHORT_LIVED.includes(model) &&
			(withColumn(model) || isolation.tables.strategyOf(model) === "owners"),
	);
	const foreignKeys = findForeignKeys(tables);
	const ofSession = foreignKeys.filter(({ target }) => SHORT_LIVED.includes(target.model));
	const models = candidates.filter(
		(model) => !ofSession.some((key) => key.model === model && key.field.required !== false),
	);
	const isForeignKey = ({ model, name, target }: Reference) =>
		foreignKeys.some(
			(key) => key.model === model && key.name === name && key.target.model === target.model,
		);
	const secrets = encryptedTables(ctx);
	const references = findReferences(tables).filter(
		(it) => models.includes(it.model) && models.includes(it.target.model),
	);
	return parentsFirst(models, references.filter(isForeignKey)).map((model): FileTable => {
		const own = references.filter((it) => it.model === model);
		const fields = Object.entries(tables[model]?.fields ?? {});
		const hasTenantColumn = withColumn(model);
		const leftOut = [
			"id",
			...(hasTenantColumn ? ["tenantId"] : []),
			...(SHORT_LIVED_COLUMNS[model] ?? []),
			...ofSession.flatMap((key) => (key.model === model ? [key.name] : [])),
		];
		return {
			model,
			hasTenantColumn,
			columns: fields.map(([name]) => name).filter((name) => !leftOut.includes(name)),
			dates: new Set(fields.flatMap(([name, { type }]) => (type === "date" ? [name] : []))),
			encrypted: secrets.find((it) => it.model === model)?.fields ?? [],
			foreignKeys: own.filter(isForeignKey).map(toLink),
			otherLinks: own.filter((it) => !isForeignKey(it)).map(toLink),
		};
	});
}

const toLink = ({ name, target }: Reference): Link => ({
	column: name,
	target: { model: target.model, column: target.name },
});

function parentsFirst(models: readonly string[], keys: readonly Reference[]): string[] {
	const ordered = new Set<string>();
	const add = (model: string, waiting: readonly string[]) => {
		if (ordered.has(model)) return;
		if (waiting.includes(model)) {
			const circle = [...waiting.slice(waiting.indexOf(model)), model].join(", ");
			throw new BetterAuthError(
				`tenantAuth: rows of these tables refer to each other, so no tenant can be exported or imported: ${circle}`,
			);
		}
		for (const key of keys) {
			if (key.model === model) add(key.target.model, [...waiting, model]);
		}
		ordered.add(model);
	};
	for (const model of models) add(model, []);
	return [...ordered];
}

/** The rows of a tenant, in batches. Each batch starts after the last one, so that memory stays flat. */
export async function* readRows(
	raw: Database,
	{ model, hasTenantColumn }: Pick<FileTable, "model" | "hasTenantColumn">,
	tenantId: string,
): AsyncGenerator<Row[]> {
	const ofTenant: Where[] = [{ field: "tenantId", value: tenantId }];
	if (hasTenantColumn) {
		yield* findById<Row>(raw, { model, where: ofTenant });
		return;
	}
	const where: Where[] = [...ofTenant, { field: "model", value: model }];
	const records = findById<Row>(raw, { model: "tenantRow", where });
	for await (const batch of records) {
		const ids = batch.map(({ rowId }) => String(rowId));
		yield await findByIds(raw, model, ids);
	}
}

export const findByIds = (raw: Database, model: string, ids: string[]): Promise<Row[]> =>
	raw.findMany<Row>({ model, where: [withIds(ids)], limit: ids.length });

/** The values of the columns that foreign keys and other links name, of the rows of a file. */
export class KnownValues {
	readonly #values = new Map<string, Set<unknown>>();

	constructor(tables: readonly FileTable[]) {
		for (const { foreignKeys, otherLinks } of tables) {
			for (const { target } of [...foreignKeys, ...otherLinks]) {
				this.#values.set(keyOf(target), new Set());
			}
		}
	}

	add({ model, columns }: FileTable, row: Row): void {
		for (const column of ["id", ...columns])
			this.#values.get(keyOf({ model, column }))?.add(row[column]);
	}

	has = (target: Link["target"], value: unknown): boolean =>
		this.#values.get(keyOf(target))?.has(value) === true;

	/** Whether every foreign key of the row names a row of the file. */
	hasParents = ({ foreignKeys }: FileTable, row: Row): boolean =>
		foreignKeys.every(({ column, target }) => row[column] == null || this.has(target, row[column]));
}

const keyOf = ({ model, column }: Link["target"]) => `${model}.${column}`;
