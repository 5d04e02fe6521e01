import { runInTenant } from "better-auth-tenant";
import { describe, expect, it } from "vitest";
import { openDrizzleSqlite } from "../support/databases/drizzle-databases";
import { eachDatabase } from "../support/databases/each-database";
import { keepLog } from "../support/processes/kept-log";
import { makeInstance } from "../support/worlds/instance";
import { makePlainHost } from "../support/worlds/plain-host";

// Better Auth's own migration refuses an existing database on MySQL.
const migrating = eachDatabase.filter(([name]) => name !== "MariaDB");

describe.each(migrating)("an upgrade on %s", (_, open) => {
	it("is recommended by a rejected sign-up where only Better Auth's own migration ran", async () => {
		const on = await open();
		await (await makePlainHost(on)).signUp("ada@example.com");
		const { lines, logger } = keepLog();
		const { makeTenant, signUp } = await makeInstance({ on, logger });
		const tenantId = await makeTenant();
		const before = lines.length;
		const rejected = () => lines.filter((line) => line.includes("a user was rejected"));

		const { status, body } = await signUp(tenantId, "ada@example.com");
		expect([status, body.code]).toEqual([422, "USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL"]);
		expect(rejected()).toEqual([expect.stringContaining("npx better-auth-tenant upgrade")]);
		expect(lines.slice(before).join()).not.toContain("ada@example.com");
		await on.close();
	});
});

const withDrizzle: typeof eachDatabase = [
	...eachDatabase,
	["SQLite under Drizzle", openDrizzleSqlite],
];

/** Core first checks whether an email is free, so only the loser of a race reaches the index. */
describe.each(withDrizzle)("an upgrade on %s", (_, open) => {
	it("is not recommended if the tenant itself has the email", async () => {
		const on = await open();
		const { lines, logger } = keepLog();
		const { auth, makeTenant } = await makeInstance({ on, logger });
		const { adapter } = await auth.$context;
		const tenantId = await makeTenant();
		const rest = { emailVerified: false, createdAt: new Date(), updatedAt: new Date() };
		const create = () =>
			runInTenant(auth, tenantId, () =>
				adapter.create({ model: "user", data: { name: "Bob", email: "bob@example.com", ...rest } }),
			);
		await create();
		await expect(create()).rejects.toThrow("already exists");
		expect(lines.join()).not.toContain("a user was rejected");
		await on.close();
	});
});
