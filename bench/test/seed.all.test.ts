import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { notEmpty } from "../../testing/not-empty";
import { services } from "../../testing/services";
import { type DatabaseType, type OpenDatabase, openDatabase } from "../src/host/database";
import { makeHost } from "../src/host/host";
import { replaceGitlab } from "../src/host/identity-provider";
import { tenantId, userId } from "../src/seeding/identities";
import { seedDatabase } from "../src/seeding/seed-database";
import { type Host, perform, tenantOperations } from "../src/setup/operations";
import { openScratch, type Scratch } from "../src/setup/scratch";

const population = { tenants: 3, users: 20 };

const databases: [name: string, type: DatabaseType][] = [["SQLite", "sqlite"]];
if (services.postgres) databases.push(["PostgreSQL", "postgres"]);
if (services.mysql) databases.push(["MariaDB", "mysql"]);

/** What a seeded database has to be for its figures to mean something. */
describe.each(databases)("a seeded database on %s", (_, type) => {
	let scratch: Scratch;
	let database: OpenDatabase;
	let host: Host;
	const original = globalThis.fetch;

	beforeAll(async () => {
		replaceGitlab();
		scratch = openScratch({ postgres: services.postgres, mysql: services.mysql });
		const address = await scratch.create(type);
		await seedDatabase({ address, ...population });
		database = openDatabase(address);
		host = makeHost(database, { subject: "tenant" });
	});

	afterAll(async () => {
		globalThis.fetch = original;
		await database.close();
		await scratch.close();
	});

	it.each([0, 1, 19])("lets user %i do everything that is measured", async (user) => {
		for (const request of notEmpty(Object.values(tenantOperations(host, population)))) {
			await perform(host, await request(user));
		}
	});

	it("holds rows as Better Auth and the plugin write them", async () => {
		const { "sign-up": signUp, "tenant create": createTenant } = tenantOperations(host, population);
		await perform(host, await signUp(0));
		await perform(host, await createTenant(0));
		const kinds = (row: object) =>
			Object.fromEntries(Object.entries(row).map(([column, value]) => [column, kindOf(value)]));
		for (const [table, seeded] of [
			["user", userId(0)],
			["tenant", tenantId(0)],
		] as const) {
			const rows = await database.db.selectFrom(table).selectAll().execute();
			const [made] = rows.filter((row) => String(row.email ?? row.slug).startsWith("new-"));
			const [filled] = rows.filter(({ id }) => id === seeded);
			expect(kinds(filled ?? {})).toEqual(kinds(made ?? {}));
		}
	});
});

/** Dates on SQLite are texts: they have to look alike too. */
function kindOf(value: unknown): string {
	if (typeof value !== "string") return value === null ? "null" : typeof value;
	return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? "a date as text" : "text";
}
