import type { AuthContext } from "@better-auth/core";
import { BetterAuthError } from "@better-auth/core/error";
import { findForeignRows } from "./adapter-values";
import { openCatalog } from "./catalog";
import { findForeignNames } from "./foreign-names";
import { findHostDatabase, isDialect } from "./host-database";
import { describeStaleIndex, findUniqueIndexes, isStale } from "./stale-indexes";

export interface DatabaseCheck {
	/** Whether a call must wait for {@link requireNoProblems}. */
	isOpen(): boolean;
	/** Throws if the database has names of ours that are not ours. */
	requireNoProblems(): Promise<void>;
}

/**
 * Looks at the database beside the start, as Better Auth's own schema check does. The same option
 * disables both.
 *
 * - It warns about unique indexes from before there were tenants.
 * - A table or a column of the app that has a name of ours is a problem: no call must use it. Each call
 *   looks again, because a migration may have been running.
 */
export function startDatabaseCheck(ctx: AuthContext): DatabaseCheck {
	const isChecked =
		!isDialect(ctx.options) && ctx.options.advanced?.database?.validateSchema !== false;
	const { options, tables, logger } = ctx;
	// A copy, because isolation will change it in place.
	const adapter = { ...ctx.adapter };
	let running = isChecked ? check() : null;
	return {
		isOpen: () => running !== null,
		requireNoProblems: async () => {
			const problems = (await running)?.length ? await check() : [];
			if (problems.length === 0) running = null;
			else throw new BetterAuthError(`tenantAuth: ${problems.join("\n")}`);
		},
	};

	async function check(): Promise<string[]> {
		const problems = await findProblems({ options, tables, logger, adapter }).catch((error) => {
			logger.debug("tenantAuth: could not look at the database", error);
			return [];
		});
		for (const problem of problems) logger.error(`tenantAuth: ${problem}`);
		return problems;
	}
}

type CheckedContext = Pick<AuthContext, "options" | "tables" | "logger" | "adapter">;

async function findProblems({ options, tables, logger, adapter }: CheckedContext) {
	const database = await findHostDatabase(options);
	if (!database) return options.database ? findForeignRows({ adapter, tables, logger }) : [];
	return database.use(async (connection) => {
		const catalog = await openCatalog(database, connection);
		const stale = (await findUniqueIndexes(catalog, tables)).filter(isStale);
		for (const index of stale) logger.warn(describeStaleIndex(index));
		return findForeignNames(catalog, tables, options.plugins);
	});
}
