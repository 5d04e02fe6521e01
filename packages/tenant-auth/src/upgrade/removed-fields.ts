import type { BetterAuthOptions, BetterAuthPlugin } from "@better-auth/core";
import type { BetterAuthDBSchema, SecondaryStorage } from "@better-auth/core/db";
import type { Connection } from "./host-database";
import type { Statement } from "./statements";
import type { UpgradeCatalog } from "./upgrade-catalog";

/**
 * Earlier versions copied a tenant's suspension to its users, to its OAuth configs and to the secondary
 * storage. Only the tenant's own column is read now. It was always set together with the copies.
 */
const REMOVED_FIELD = "tenantSuspended";

/**
 * Only this plugin has this table. Without the column there, a column of the same name in the user table
 * is the app's own. Its column is dropped last, because on MySQL an upgrade may stop between the two.
 */
const OWN_MODEL = "tenantOauthConfig";
const MODELS = ["user", OWN_MODEL];

const storageKeyOf = (tenantId: string) => `tenant-suspended-${tenantId}`;

const BATCH = 100;

interface RemovedColumn {
	model: string;
	table: string;
	name: string;
}

interface RemovedFields {
	columns: RemovedColumn[];
	statements: Statement[];
	/** How many entries the secondary storage has at most: one for each tenant. */
	storageEntries: number;
	deleteStorageEntries(connection: Connection): Promise<void>;
}

/** Plans the removal of what earlier versions created and the current schema does not declare. */
export async function planRemovedFields(
	catalog: UpgradeCatalog,
	{ query }: Connection,
	{ secondaryStorage }: BetterAuthOptions,
	tables: BetterAuthDBSchema,
	plugin: BetterAuthPlugin,
): Promise<RemovedFields> {
	const columns = await findRemovedColumns(catalog, tables, plugin);
	// Once the columns are gone, the entries are gone too: they are deleted first.
	const storage = columns.length > 0 ? secondaryStorage : undefined;
	const tenants = catalog.table(tables.tenant?.modelName ?? "tenant");
	const [counted] = storage ? await query(`select count(*) as n from ${tenants}`) : [];
	return {
		columns,
		statements: columns.map(({ table, name }) => ({
			sql: `alter table ${catalog.table(table)} drop column ${catalog.quote(name)}`,
			reason: "a suspension is stored in the tenant's own row only",
		})),
		storageEntries: Number(counted?.n ?? 0),
		deleteStorageEntries: async (connection) => {
			if (storage) await deleteStorageEntries(storage, catalog, connection, tenants);
		},
	};
}

async function findRemovedColumns(
	catalog: UpgradeCatalog,
	tables: BetterAuthDBSchema,
	{ options }: BetterAuthPlugin,
): Promise<RemovedColumn[]> {
	const found: RemovedColumn[] = [];
	for (const model of MODELS) {
		const { modelName: table = model, fields = {} } = tables[model] ?? {};
		const name = String(options?.schema?.[model]?.fields?.[REMOVED_FIELD] ?? REMOVED_FIELD);
		const declared = Object.entries(fields).map(([key, { fieldName = key }]) => fieldName);
		const columns = (await catalog.columnsOf(table)).map((column) => column.name);
		if (columns.includes(name) && !declared.includes(name)) found.push({ model, table, name });
	}
	return found.some(({ model }) => model === OWN_MODEL) ? found : [];
}

/** A secondary storage cannot list its keys, so the key of every tenant is deleted. */
async function deleteStorageEntries(
	storage: SecondaryStorage,
	{ literal }: UpgradeCatalog,
	{ query }: Connection,
	tenants: string,
): Promise<void> {
	let ids: string[];
	let condition = "";
	do {
		const rows = await query(`select id from ${tenants} ${condition} order by id limit ${BATCH}`);
		ids = rows.map(({ id }) => String(id));
		await Promise.all(ids.map((id) => storage.delete(storageKeyOf(id))));
		condition = `where id > ${literal(ids.at(-1) ?? "")}`;
	} while (ids.length === BATCH);
}
