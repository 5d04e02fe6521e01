import type { BetterAuthOptions, BetterAuthPlugin } from "@better-auth/core";
import { getAuthTables } from "@better-auth/core/db";
import { BetterAuthError } from "@better-auth/core/error";
import type { TenantAuthOptions } from "../options";
import { requireSameEmailColumn } from "../schema";
import { betterAuthStatements } from "./better-auth-statements";
import { boundColumns } from "./bounded-columns";
import { openCatalog } from "./catalog";
import { dropLeftovers } from "./drop-leftovers";
import { findLeftovers, type Leftover } from "./global-keys";
import {
	type Connection,
	type DatabaseType,
	findHostDatabase,
	type HostDatabase,
} from "./host-database";
import { findMissingFieldIndexes } from "./missing-field-indexes";
import { findDuplicates, findMissingIndexes } from "./missing-indexes";
import { linesOf, runScript, type Script, surroundRebuild } from "./script";
import type { Statement } from "./statement";

export type { Statement } from "./statement";

/** What `betterAuth()` returns, or the options that it is called with. */
export type UpgradeTarget = BetterAuthOptions | { options: BetterAuthOptions };

export interface UpgradePlan {
	database: DatabaseType;
	/** What will be run, in this order; none where there is nothing to do. */
	statements: Statement[];
	/** Why it cannot be run, in sentences. */
	refusals: string[];
	/** What it leaves alone, and somebody should look at. */
	notes: string[];
	/** Runs the statements. Throws where there are refusals. */
	run(): Promise<void>;
}

/**
 * Looks at a database and says what brings it up to date: Better Auth's own migration, and what that
 * leaves undone on a database that had users before it had tenants. Nothing is changed until `run()`.
 *
 * Call it before `betterAuth()`, or in a process of its own: Better Auth remembers the schema that it
 * found at its start.
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
	const database = requireDatabase(options);
	const plugin = requirePlugin(options);
	const findings = await database.use((connection) =>
		lookAt(database, connection, options, plugin),
	);
	const own = await betterAuthStatements(options, findings.bounding.models);
	const script = scriptOf(database.type, findings, own.statements);
	const refusals = [...own.refusals, ...findings.refusals];
	return {
		database: database.type,
		statements: linesOf(script),
		refusals,
		notes: [...own.notes, ...findings.notes],
		run: async () => {
			if (refusals.length > 0) throw new BetterAuthError(refusals.join("\n"));
			if (script.statements.length === 0) return;
			await database.use((connection) => runScript(connection, script));
			await requireNothingLeft(options);
		},
	};
}

type Findings = Awaited<ReturnType<typeof lookAt>>;

async function lookAt(
	database: HostDatabase,
	connection: Connection,
	options: BetterAuthOptions,
	plugin: BetterAuthPlugin,
) {
	const tables = getAuthTables(options);
	const catalog = await openCatalog(database, connection);
	const leftovers = await findLeftovers(catalog, tables);
	const drops = await dropLeftovers(catalog, connection, leftovers.global);
	const missing = await findMissingIndexes(catalog, options, tables);
	const bounding = await boundColumns(catalog, connection, missing);
	const refusals = [...drops.refusals, ...bounding.refusals];
	for (const index of missing) refusals.push(...(await findDuplicates(catalog, connection, index)));
	return {
		drops,
		dropped: leftovers.global.map(({ index }) => index.name),
		bounding,
		refusals,
		notes: leftovers.unclear.map(noteOn),
		fieldIndexes: await findMissingFieldIndexes(catalog, tables, plugin),
		around: await surroundRebuild(connection, drops.rebuilt),
	};
}

/**
 * The new indexes come before the old ones go, so that an address is never unguarded. On SQLite, where
 * a table that is made again is written from what it is now, it is the other way round, in one
 * transaction.
 */
function scriptOf(type: DatabaseType, findings: Findings, own: string[]): Script {
	const { bounding, drops, fieldIndexes, around, dropped } = findings;
	const made: Statement[] = [
		...bounding.statements,
		...own.map((sql) => ({ sql, reason: "Better Auth's own migration" })),
		...bounding.indexes,
		...fieldIndexes,
	];
	const statements =
		type === "sqlite" ? [...drops.statements, ...made] : [...made, ...drops.statements];
	return { type, ...around, statements, rebuilt: drops.rebuilt, dropped };
}

const noteOn = ({ key, index }: Leftover) =>
	`${index.name} on ${key.table} may keep ${key.what} unique across tenants. It has a condition or an expression of your own, so it is left: make it anew with ${key.tenantId} as its first column`;

async function requireNothingLeft(options: BetterAuthOptions): Promise<void> {
	const { statements } = await planUpgrade(options);
	if (statements.length === 0) return;
	throw new BetterAuthError(
		`The upgrade ran, but the database still asks for: ${statements.map(({ sql }) => sql).join("; ")}`,
	);
}

function requireDatabase({ database }: BetterAuthOptions): HostDatabase {
	const found = findHostDatabase(database);
	if (!found) {
		throw new BetterAuthError(
			"The upgrade speaks to SQLite, PostgreSQL and MySQL as they are given to Better Auth: a pool, a database file, { db, type } or { dialect, type }. With another adapter (Drizzle, Prisma, …) the schema is changed by that adapter's own migrations",
		);
	}
	if (database && "db" in database && renamesIdentifiers(database.db)) {
		throw new BetterAuthError(
			"The Kysely instance renames identifiers (CamelCasePlugin), which Better Auth's own migration cannot deal with: give Better Auth the names by its own options",
		);
	}
	return found;
}

function renamesIdentifiers(db: { selectFrom(table: string): unknown }): boolean {
	const query = db.selectFrom("aTable") as { compile(): { sql: string } };
	return !query.compile().sql.includes("aTable");
}

function requirePlugin(options: BetterAuthOptions): BetterAuthPlugin {
	const plugin = options.plugins?.find(({ id }) => id === "tenant-auth");
	if (!plugin) throw new BetterAuthError("tenantAuth() is not among the plugins of these options");
	requireSameEmailColumn(options, (plugin.options as TenantAuthOptions | undefined)?.schema);
	return plugin;
}
