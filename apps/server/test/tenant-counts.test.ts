import type { Kysely } from "kysely";
import { describe, expect, test, vi } from "vitest";
import { notEmpty } from "../../../testing/not-empty";
import { services } from "../../../testing/services";
import { untilHang } from "../../../testing/time-limits";
import { newOperator } from "./operator-accounts";
import { asManager, newTenant, newUser, runningService } from "./running-service";
import { mysqlDatabase, postgresDatabase } from "./temporary-database";

const { postgres, mysql } = services;
const databases: [string, () => Promise<Record<string, string>>][] = [
	["SQLite", async () => ({})],
	...(postgres
		? [["PostgreSQL", async () => ({ DATABASE_URL: await postgresDatabase(postgres) })] as never]
		: []),
	...(mysql
		? [["MariaDB", async () => ({ DATABASE_URL: await mysqlDatabase(mysql) })] as never]
		: []),
];

describe.each(databases)("tenants on %s", (_, environment) => {
	test("have a limited number of users, and the time of their last sign-in", async () => {
		const service = await runningService(await environment());
		const { call, post, backend } = service;
		const [acme, globex, large] = [
			await newTenant(post, "acme"),
			await newTenant(post, "globex"),
			await newTenant(post, "large"),
		];
		const headers = { "x-tenant-id": acme };
		for (const name of notEmpty(["ada", "bob"])) {
			await post("/tenant/sign-up/email", newUser(`${name}@example.com`), headers);
		}
		const { db, type } = backend.database;
		const now = type === "sqlite" ? new Date().toISOString() : new Date();
		const users = Array.from({ length: 1001 }, (_unused, n) => ({
			...{ id: `user-${n}`, name: "User", email: `user-${n}@example.com`, tenantId: large },
			...{ createdAt: now, updatedAt: now, emailVerified: type === "sqlite" ? 0 : false },
		}));
		for (let start = 0; start < users.length; start += 250) {
			const rows = users.slice(start, start + 250);
			await (db as Kysely<unknown> as Kysely<Record<string, Record<string, unknown>>>)
				.insertInto("user")
				.values(rows)
				.execute();
		}
		const read = async (ids: string[]) => {
			const response = await call(`/service/tenant-counts?ids=${ids.join(",")}`, {
				headers: asManager,
			});
			expect(response.status).toBe(200);
			return (await response.json()) as { id: string; lastActivityAt: string | null }[];
		};
		// Sign-ins are stored in the background.
		await vi.waitFor(async () => {
			expect((await read([acme]))[0]?.lastActivityAt).not.toBeNull();
		}, untilHang);
		const found = await read([acme, globex, large, "gone", acme, ""]);
		expect(found).toHaveLength(3);
		const of = (id: string) => found.find((one) => one.id === id);
		expect(of(acme)).toMatchObject({ users: 2, hasMoreUsers: false });
		expect(of(globex)).toEqual({ id: globex, users: 0, hasMoreUsers: false, lastActivityAt: null });
		expect(of(large)).toMatchObject({ users: 1000, hasMoreUsers: true });
		const last = Date.parse(String(of(acme)?.lastActivityAt));
		expect(Math.abs(Date.now() - last)).toBeLessThan(60_000);
	});
});

test("the counts of tenants are for operators, and for a page of tenants", async () => {
	const service = await runningService();
	const { call } = service;
	const status = async (query: string, headers: Record<string, string> = asManager) =>
		(await call(`/service/tenant-counts${query}`, { headers })).status;
	const many = Array.from({ length: 101 }, (_, n) => `t${n}`).join(",");
	for (const query of notEmpty(["", "?ids=", "?ids=,", `?ids=${many}`, "?ids=a%00b"])) {
		expect([query, await status(query)]).toEqual([query, 400]);
	}
	expect(await status("?ids='")).toBe(200);
	const { headers } = await newOperator(service, "support");
	expect(await status("?ids=a", headers as Record<string, string>)).toBe(200);
	expect(await status("?ids=a", {})).toBe(401);
});
