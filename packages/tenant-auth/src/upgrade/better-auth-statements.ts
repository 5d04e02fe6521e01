import type { BetterAuthOptions, BetterAuthPlugin } from "@better-auth/core";
import { BetterAuthError } from "@better-auth/core/error";
import { getMigrations } from "better-auth/db/migration";
import { splitStatements } from "./sql-text";

interface OwnMigration {
	statements: string[];
	refusals: string[];
	notes: string[];
}

/**
 * What Better Auth's own migration would run.
 *
 * @param withoutIndexes models whose unique index we make ourselves, since Better Auth refuses to
 */
export async function betterAuthStatements(
	options: BetterAuthOptions,
	withoutIndexes: string[],
): Promise<OwnMigration> {
	try {
		const migration = await getMigrations(leaveOut(options, withoutIndexes), {
			throwOnUnsafe: false,
		});
		return {
			statements: splitStatements(await migration.compileMigrations()),
			refusals: migration.unsafeChanges,
			notes: migration.schemaProblems,
		};
	} catch (error) {
		if (!(error instanceof BetterAuthError)) throw error;
		return { statements: [], refusals: [error.message], notes: [] };
	}
}

function leaveOut(options: BetterAuthOptions, models: string[]): BetterAuthOptions {
	if (models.length === 0) return options;
	const plugins = options.plugins?.map((plugin) =>
		plugin.id === "tenant-auth" ? { ...plugin, schema: without(plugin.schema, models) } : plugin,
	);
	return { ...options, plugins };
}

/** A text column that is in no index would be unbounded in turn, but not one to sort by. */
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
