import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { type OpenDatabase, openSqlite } from "../support/databases/databases";
import type { Statement } from "../support/databases/query-plan";
import { recordStatements } from "../support/databases/recorded-database";
import { type HotPath, walkedPaths, walkHotPaths } from "../support/worlds/hot-paths";

/** The tables that docs/partitions.sql splits. */
const ofUsers = /\b(?:from|into|update|join) "(user|account|session|verification)"/;
const namesTenant = /"tenantId" (?:=|in)|insert into [^)]*"tenantId"/;

/** What asks all partitions, or all shards, and why. docs/scaling.md says it too. */
const reasons = {
	"a link or a callback names a row, and this row says the tenant":
		/from "verification" where (?:"verification".)?"identifier" = \?/,
	"Better Auth's adapter reads a joined row by the key alone":
		/from "(?:account" where "account"."userId"|user" where "user"."id") = \?/,
	"an import reads the users that it has found in the tenant by their keys":
		/from "(?:account" where (?:"account".)?"userId"|user" where (?:"user".)?"id") in /,
};
type Reason = keyof typeof reasons;
const [byLink, byJoin, byImport] = Object.keys(reasons) as [Reason, Reason, Reason];

const everywhere: Partial<Record<HotPath, Reason[]>> = {
	"a sign-in": [byJoin],
	"a password reset": [byJoin, byLink],
	"a sign-in with a second factor": [byJoin, byJoin],
	"a sign-in by a link": [byLink],
	"a social sign-in of a new user": [byLink],
	"a social sign-in of a known user": [byLink, byJoin],
	"an import of known users": [byImport, byImport],
};

/** `fastStatements()` of better-auth-fast joins the row in the statement that names the tenant. */
const joinsInOneStatement = process.env.TEST_STATEMENTS === "fast";

const reasonsFor = (path: HotPath): Reason[] =>
	(everywhere[path] ?? []).filter((reason) => !(joinsInOneStatement && reason === byJoin));

const reasonOf = ({ sql }: Statement) =>
	Object.entries(reasons).find(([, pattern]) => pattern.test(sql))?.[0] ?? sql;

describe("with partitions or shards by tenant", () => {
	let opened: OpenDatabase;
	let asked: Record<HotPath, Statement[]>;

	beforeAll(async () => {
		opened = await openSqlite();
		asked = await walkHotPaths(recordStatements(opened), { tenantInSessionTokens: true });
	});
	afterAll(() => opened.close());

	it.each(walkedPaths)("%s names the tenant in all statements but those listed", (path) => {
		const unnamed = asked[path].filter(({ sql }) => ofUsers.test(sql) && !namesTenant.test(sql));
		expect(unnamed.map(reasonOf)).toEqual(reasonsFor(path));
	});

	it("is about statements on the tables of users", () => {
		const all = walkedPaths.flatMap((path) => asked[path]).filter(({ sql }) => ofUsers.test(sql));
		expect(new Set(notEmpty(all).map(({ sql }) => ofUsers.exec(sql)?.[1])).size).toBe(4);
	});
});
