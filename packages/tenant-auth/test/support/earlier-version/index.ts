import { readFileSync } from "node:fs";
import type { HostDatabase, Rows } from "../worlds/instance";
import { runSql, sqlOf } from "../worlds/plain-host";

// A database that commit 3913af2 of this repository has written. There, `tenantAuth()` itself had the
// tables of webhooks and of the sign-in log.
//
// - The `.sql` files are what `compileMigrations()` of Better Auth 1.7.7 returned for
//   `plugins: [tenantAuth(), notes()]`, one for each database. `notes` had the schema of `test/port/notes.ts`.
// - `rows.json` has all rows of a SQLite database in which `makeInstance()` of that commit, with
//   `signInLog: {}`, did these calls: create the tenant Acme with metadata, create a webhook for
//   `user.created`, sign up Ada in Acme and make her an owner, sign in, sign in with a wrong password, sign
//   up Grace on the platform with the same email, register a Google client, add and verify a login domain
//   and an email domain, invite Bob, import Carol with a Google account, set a policy, request a password
//   reset for Ada, create the tenant Globex, sign up there, suspend it, and write a note in Acme.
// - Then `expiresAt` was set to the last day of 2037, and the year's months were moved to January.

const read = (name: string) => readFileSync(new URL(name, import.meta.url), "utf8");

/** All rows, by table. A table comes after those that it refers to. */
export const earlierRows: Record<string, Rows[string][]> = JSON.parse(read("rows.json"));

/** What people had when the app was upgraded. */
export const earlier = {
	tenantId: "JNaso56OZYzFXVu9htydi3kyIAst3CBH",
	suspendedTenantId: "tJYj3hXhLYAgfwqYHF00ve6x4JTaxdvd",
	adaId: "S6VWE163qaD6zciQar5zCrdMXjoZAxRz",
	adaCookie:
		"better-auth.session_token=sPTc5j8QBjVIGYQk48etHeZeSRTxQgY4.zmy%2FHGe1vUwSJ2Z2IDRBGsjJlT3bNe2%2BHkFNvglvZhQ%3D",
	/** Of a user of the platform. */
	graceCookie:
		"better-auth.session_token=x8EquSdkpXD8XVvIp3wGyDW99MF5skHI.BwgVj5ezys1rVV%2FRdOiyPK6tikwccOFKRnjGYgs5nns%3D",
	resetToken: "sOxxEV4dhm3CQVzRcZ5KnMuM",
	invitationToken: "KY2dVQ3bXWtZvHOElvtgQQaF634em0dx",
	webhookSecret: "whsec_PFTsi6PvemJluoihvdsaL7QVNASn9q5F/jUXfo35h98=",
};

const BOOLEANS = ["emailVerified", "enabled", "discoverable"];
const TIMESTAMP = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** SQLite stores timestamps as texts and booleans as numbers. */
function toValue(column: string, value: unknown): unknown {
	if (BOOLEANS.includes(column)) return value === 1;
	return typeof value === "string" && TIMESTAMP.test(value) ? new Date(value) : value;
}

/** Creates the tables and rows of the earlier version in an empty database. */
export async function writeEarlierVersion(on: HostDatabase): Promise<void> {
	const statements = read(`${on.type}.sql`).split(/;\s*/);
	for (const statement of statements.filter(Boolean)) await runSql(on, statement);
	for (const [table, rows] of Object.entries(earlierRows)) {
		const values = rows.map((row) =>
			on.type === "sqlite"
				? row
				: Object.fromEntries(
						Object.entries(row).map(([column, value]) => [column, toValue(column, value)]),
					),
		);
		await sqlOf(on).insertInto(table).values(values).execute();
	}
}

/** What the database has in these tables, with the columns of the earlier version only. */
export async function readEarlierTables(on: HostDatabase): Promise<typeof earlierRows> {
	const found: typeof earlierRows = {};
	for (const [table, [first = {}]] of Object.entries(earlierRows)) {
		found[table] = await sqlOf(on)
			.selectFrom(table)
			.select(Object.keys(first))
			.orderBy("id")
			.execute();
	}
	return found;
}
