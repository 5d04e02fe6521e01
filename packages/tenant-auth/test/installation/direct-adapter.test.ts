import type { AuthContext } from "@better-auth/core";
import { getAdapter } from "better-auth/db/adapter";
import { describe, expect, it } from "vitest";
import { runStatementsDirectly } from "../../src/installation/direct-adapter";
import { openSqlite } from "../support/databases";
import { describeDirectAdapter } from "../support/direct-adapter-behaviors";
import { makeInstance } from "../support/instance";

describe("direct statements on SQLite", () => describeDirectAdapter(openSqlite));

describe("direct statements", () => {
	it.each<[string, object]>([
		["another database", { type: "mssql" }],
		["a log of all queries", { debugLogs: true }],
	])("are not used with %s", async (_, settings) => {
		const { auth } = await makeInstance();
		const ctx = (await auth.$context) as unknown as AuthContext;
		const database = { ...Object(ctx.options.database), ...settings };
		const options = { ...ctx.options, database };
		const adapter = await getAdapter(options);
		const before = { ...adapter };
		runStatementsDirectly({ ...ctx, options, adapter });
		expect(adapter).toEqual(before);
	});
});
