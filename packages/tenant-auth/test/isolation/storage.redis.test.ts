import type { BetterAuthOptions } from "better-auth";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { services } from "../../../../testing/services";
import { describeMainBehaviors } from "../databases/main/describe-main-behaviors";
import {
	type OpenDatabase,
	openMysql,
	openPostgres,
	openSqlite,
} from "../support/databases/databases";
import { openRedis, type RedisStorage } from "../support/databases/redis-storage";
import { makeInstance } from "../support/worlds/instance";

type Settings = Pick<BetterAuthOptions, "session" | "verification">;

const kinds: [string, Settings][] = [
	["instead of tables", {}],
	[
		"beside tables",
		{ session: { storeSessionInDatabase: true }, verification: { storeInDatabase: true } },
	],
];

const { postgres, mysql } = services;
const servers: [string, () => Promise<OpenDatabase>][] = [];
if (postgres) servers.push(["PostgreSQL", () => openPostgres(postgres)]);
if (mysql) servers.push(["MariaDB", () => openMysql(mysql)]);

describe.skipIf(!services.redis).each(kinds)("with Redis %s", (_, settings) => {
	let redis: RedisStorage;

	beforeAll(() => {
		redis = openRedis(String(services.redis));
	});
	afterAll(() => redis.close());

	const describeOn = (open: () => Promise<OpenDatabase>) =>
		describeMainBehaviors(open, {
			options: () => ({ ...settings, secondaryStorage: redis.storage }),
			only: ["sessions", "mails", "erasing", "social sign-in"],
		});

	describe("on SQLite", () => describeOn(openSqlite));
	// What stands in tables beside it, the suites without Redis have seen on each server.
	const others = settings.session ? [] : servers;
	for (const [name, open] of others) describe(`on ${name}`, () => describeOn(open));

	it("a revoked session lives on in secondary storage: no, and a tenant's end with it", async () => {
		const { makeTenant, signUp, manage, call } = await makeInstance({
			...settings,
			secondaryStorage: redis.storage,
		});
		const [gone, kept] = [await makeTenant(), await makeTenant()];
		const theirs = await signUp(kept, "ada@example.com");
		const [first, second] = [
			await signUp(gone, "ada@example.com"),
			await call("/tenant/sign-in/email", {
				body: { tenantId: gone, email: "ada@example.com", password: "correct horse battery" },
			}),
		];
		await call("/revoke-other-sessions", { body: {}, cookie: first.cookie });
		expect((await call("/get-session", { cookie: second.cookie })).body).toBeNull();
		await manage("/tenant/delete", { body: { tenantId: gone } });
		expect((await call("/get-session", { cookie: first.cookie })).body).toBeNull();
		const left = JSON.stringify(await redis.entries());
		for (const trace of [gone, first.body.user.id, first.body.token, second.body.token]) {
			expect(left).not.toContain(trace);
		}
		expect((await call("/get-session", { cookie: theirs.cookie })).body.session.tenantId).toBe(
			kept,
		);
	});
});
