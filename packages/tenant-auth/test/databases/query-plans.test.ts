import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OpenDatabase } from "../support/databases/databases";
import { eachDatabase } from "../support/databases/each-database";
import { explain, type Plan, type Statement } from "../support/databases/query-plan";
import { type RecordedDatabase, recordStatements } from "../support/databases/recorded-database";
import { type HotPath, hotPaths, isPagedList, walkHotPaths } from "../support/worlds/hot-paths";

interface Explained extends Plan {
	sql: string;
}

const isPage = ({ sql }: Explained) => /order by ["`]createdAt["`] (asc|desc) limit/.test(sql);

/** How the statements of the paths that are walked most find their rows, in a database with many. */
describe.each(eachDatabase)("query plans on %s", (_, open) => {
	let opened: OpenDatabase;
	let database: RecordedDatabase;
	let asked: Record<HotPath, Statement[]>;

	beforeAll(async () => {
		opened = await open();
		database = recordStatements(opened);
		// All of them before the first is explained: libsql holds an explained statement open, and then
		// commits no transaction.
		asked = await walkHotPaths(database);
	});

	afterAll(async () => {
		if (opened.type === "sqlite") await database.db.destroy();
		await opened.close();
	});

	async function explainAll(path: HotPath): Promise<Explained[]> {
		const explained: Explained[] = [];
		// Locks read no table.
		const onTables = asked[path].filter(({ sql }) => /\b(from|into|update)\b/i.test(sql));
		for (const statement of onTables) {
			const plan = await explain(database.db, database.type, statement);
			if (plan) explained.push({ sql: statement.sql, ...plan });
		}
		return explained;
	}

	describe.each(hotPaths)("%s", (path) => {
		it("uses an index for every statement", async () => {
			const plans = await explainAll(path);
			const unindexed = plans.filter((it) => it.scans.length > 0 || it.indexes.length === 0);
			expect(unindexed).toEqual([]);
		});

		it("reads all rows of a tenant for none", async () => {
			const plans = await explainAll(path);
			// There are no more configs than providers.
			const isLong = (index: string) => !index.startsWith("tenantOauthConfig_");
			// A page in the order of the index ends with its limit. Only lists read pages.
			const isAllowed = (plan: Explained) =>
				isPagedList(path) &&
				isPage(plan) &&
				!plan.sorts &&
				plan.wide.every((index) => index.endsWith("_tenantId_createdAt_idx"));
			const long = plans.filter(({ wide }) => wide.some(isLong));
			expect(long.filter((plan) => !isAllowed(plan))).toEqual([]);
		});
	});

	describe.each(hotPaths.filter(isPagedList))("%s", (path) => {
		it("reads its page in the order of an index", async () => {
			const pages = (await explainAll(path)).filter(isPage);
			expect(pages).not.toEqual([]);
			expect(pages.filter(({ sorts }) => sorts)).toEqual([]);
		});
	});
});
