import type { BetterAuthOptions, BetterAuthPlugin } from "@better-auth/core";
import { BetterAuthError } from "@better-auth/core/error";
import { getMigrations } from "better-auth/db/migration";
import { splitStatements } from "./sql-parser";
import type { Statement } from "./statements";

interface BetterAuthMigration {
	statements: Statement[];
	blockers: string[];
	notes: string[];
}

/**
 * Plans what Better Auth's own migration would run.
 *
 * @param withoutIndexes models whose indexes the upgrade creates itself, because Better Auth refuses to
 */
export async function planBetterAuthMigration(
	options: BetterAuthOptions,
	withoutIndexes: string[],
): Promise<BetterAuthMigration> {
	try {
		const migration = await getMigrations(omitIndexes(options, withoutIndexes), {
			throwOnUnsafe: false,
		});
		const script = await migration.compileMigrations();
		return {
			statements: splitStatements(script).map((sql) => ({
				sql,
				reason: "Better Auth's own migration",
			})),
			blockers: migration.unsafeChanges,
			notes: migration.schemaProblems,
		};
	} catch (error) {
		if (!(error instanceof BetterAuthError)) throw error;
		return { statements: [], blockers: [error.message], notes: [] };
	}
}

function omitIndexes(options: BetterAuthOptions, models: string[]): BetterAuthOptions {
	if (models.length === 0) return options;
	const plugins = options.plugins?.map((plugin) => ({
		...plugin,
		schema: without(plugin.schema, models),
	}));
	return { ...options, plugins };
}

/** Better Auth makes a text column without an index unbounded, unless the column is sortable. */
function without(schema: BetterAuthPlugin["schema"], models: string[]): BetterAuthPlugin["schema"] {
	return Object.fromEntries(
		Object.entries(schema ?? {}).map(([model, table]) => {
			const { tenantId, ...fields } = table.fields;
			if (!models.includes(model) || !tenantId) return [model, table];
			const sortable = { ...tenantId, sortable: true };
			return [model, { ...table, indexes: [], fields: { ...fields, tenantId: sortable } }];
		}),
	);
}
