import type { BetterAuthOptions, BetterAuthPlugin } from "@better-auth/core";
import { getAuthTables } from "@better-auth/core/db";
import { BetterAuthError } from "@better-auth/core/error";
import { requireSameEmailColumn } from "../schema";
import { planBetterAuthMigration } from "./better-auth-migration";
import { requireOwnNames } from "./declared-names";
import { findForeignNames } from "./foreign-names";
import { findForeignValues } from "./foreign-values";
import {
	type Connection,
	type DatabaseType,
	findHostDatabase,
	type HostDatabase,
	type UpgradeTarget,
} from "./host-database";
import { isAmbiguous, planIndexDrops } from "./index-drops";
import { describeMissingPlugins } from "./moved-tables";
import { planNewIndexes } from "./new-indexes";
import { planRemovedFields } from "./removed-fields";
import { runScript, type Script, statementsOf } from "./script";
import { settingsForRebuild } from "./sqlite-rebuild";
import { findUniqueIndexes, isStale, type UniqueIndex } from "./stale-indexes";
import type { Statement } from "./statements";
import { openUpgradeCatalog } from "./upgrade-catalog";

export type { UpgradeTarget } from "./host-database";
export { readOwnTable } from "./own-table";
export { type Statement, toSqlScript } from "./statements";

export interface UpgradePlan {
	database: DatabaseType;
	/** The statements in the order in which they run. Empty if there is nothing to do. */
	statements: Statement[];
	/** How many entries of the secondary storage are deleted, at most. */
	storageEntries: number;
	/** Why the upgrade cannot run. */
	blockers: string[];
	/** What the upgrade does not change but you should check. */
	notes: string[];
	/** Runs the upgrade. Throws if there are blockers. */
	run(): Promise<void>;
}

/**
 * Inspects a database and plans its upgrade: Better Auth's own migration, and what that migration does
 * not do on a database that had users before it had tenants. Nothing changes until `run()`.
 *
 * Call it before `betterAuth()` or in a process of its own, because Better Auth caches the schema that
 * it finds when it starts.
 *
 * @example
 * ```ts
 * const plan = await planUpgrade(options);
 * for (const { sql } of plan.statements) console.log(sql);
 * await plan.run();
 * ```
 */
export async function planUpgrade(target: UpgradeTarget): Promise<UpgradePlan> {
	const options = "options" in target ? target.options : target;
	const database = await requireDatabase(options);
	const plugin = requirePlugin(options);
	const foreign = await database.use(async (connection) => {
		const catalog = await openUpgradeCatalog(database, connection);
		return findForeignNames(catalog, getAuthTables(options), options.plugins, (names) =>
			findForeignValues(names, catalog, connection),
		);
	});
	// Better Auth's own advice would be to give such a table the columns that it lacks.
	if (foreign.length > 0) return blockedPlan(database.type, foreign);
	const findings = await database.use((connection) =>
		inspect(database, connection, options, plugin),
	);
	const migration = await planBetterAuthMigration(options, findings.newIndexes.models);
	const script = scriptOf(database.type, findings, migration.statements);
	const statements = statementsOf(script);
	const blockers = [...migration.blockers, ...findings.blockers];
	return {
		database: database.type,
		statements,
		storageEntries: findings.removed.storageEntries,
		blockers,
		notes: [...migration.notes, ...findings.notes],
		run: async () => {
			if (blockers.length > 0) throw new BetterAuthError(blockers.join("\n"));
			if (statements.length === 0) return;
			await database.use((connection) => runScript(connection, script));
			await requireUpToDate(options);
		},
	};
}

const blockedPlan = (database: DatabaseType, blockers: string[]): UpgradePlan => ({
	database,
	statements: [],
	storageEntries: 0,
	blockers,
	notes: [],
	run: async () => {
		throw new BetterAuthError(blockers.join("\n"));
	},
});

type Findings = Awaited<ReturnType<typeof inspect>>;

async function inspect(
	database: HostDatabase,
	connection: Connection,
	options: BetterAuthOptions,
	plugin: BetterAuthPlugin,
) {
	const tables = getAuthTables(options);
	const catalog = await openUpgradeCatalog(database, connection);
	const uniqueIndexes = await findUniqueIndexes(catalog, tables);
	const stale = uniqueIndexes.filter(isStale);
	const indexDrops = await planIndexDrops(catalog, connection, stale);
	const newIndexes = await planNewIndexes(catalog, connection, options, tables);
	return {
		indexDrops,
		droppedIndexes: stale.map(({ index }) => index.name),
		newIndexes,
		removed: await planRemovedFields(catalog, connection, options, tables, plugin),
		blockers: [...indexDrops.blockers, ...newIndexes.blockers],
		notes: [
			...uniqueIndexes.filter(isAmbiguous).map(noteOn),
			...(await describeMissingPlugins(catalog, connection, tables)),
		],
		settings: await settingsForRebuild(connection, indexDrops.rebuilt),
	};
}

/**
 * The new indexes are created before the old ones are dropped, so that an email is always unique. On
 * SQLite the order is reversed, because a table is rebuilt in the form that it has when the plan is
 * made. One transaction covers both there.
 */
function scriptOf(type: DatabaseType, findings: Findings, migration: Statement[]): Script {
	const { newIndexes, indexDrops, removed } = findings;
	const additions = [...newIndexes.columnChanges, ...migration, ...newIndexes.statements];
	return {
		type,
		settings: findings.settings,
		statements:
			type === "sqlite"
				? [...indexDrops.statements, ...additions]
				: [...additions, ...indexDrops.statements],
		columnDrops: removed.statements,
		deleteStorageEntries: removed.deleteStorageEntries,
		rebuild: {
			tables: indexDrops.rebuilt,
			droppedIndexes: findings.droppedIndexes,
			droppedColumns: removed.columns,
		},
	};
}

const noteOn = ({ key, index }: UniqueIndex) =>
	`${index.name} on ${key.table} may keep ${key.what} unique across tenants. It has a condition or an expression, so the upgrade does not change it. Create it again with ${key.tenantId} as its first column`;

async function requireUpToDate(options: BetterAuthOptions): Promise<void> {
	const { statements } = await planUpgrade(options);
	if (statements.length === 0) return;
	throw new BetterAuthError(
		`The upgrade ran, but the database still needs: ${statements.map(({ sql }) => sql).join("; ")}`,
	);
}

async function requireDatabase(options: BetterAuthOptions): Promise<HostDatabase> {
	const found = await findHostDatabase(options);
	if (!found) {
		throw new BetterAuthError(
			"The upgrade supports SQLite, PostgreSQL and MySQL in the forms that Better Auth itself accepts: a pool, a database file, a dialect, { db, type } or { dialect, type }. With another adapter (Drizzle, Prisma, …), run npx auth generate (with Node 22 or newer), and change the schema with the migrations of that adapter",
		);
	}
	if (found.renamesIdentifiers) {
		throw new BetterAuthError(
			"The Kysely instance renames identifiers (CamelCasePlugin), which Better Auth's own migration does not support. Set the names with Better Auth's options instead",
		);
	}
	return found;
}

function requirePlugin(options: BetterAuthOptions): BetterAuthPlugin {
	const plugin = options.plugins?.find(({ id }) => id === "tenant-auth");
	if (!plugin) throw new BetterAuthError("tenantAuth() is not in the plugins of these options");
	requireSameEmailColumn(options, plugin.options?.schema);
	requireOwnNames(options);
	return plugin;
}
