import type { DBAdapter } from "@better-auth/core/db/adapter";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { services } from "../../../../testing/services";
import { repeatLostWrites } from "../../src/database/write-conflicts";
import { type OpenDatabase, openMysql, openPostgres } from "../support/databases/databases";
import { makeFaulty } from "../support/databases/faulty-database";
import { type Answer, type Instance, makeInstance } from "../support/worlds/instance";
import { makeInvitingApp } from "../support/worlds/invitations";

describe("a write that collides with another one", () => {
	const config = { providerId: "google", clientId: "id", clientSecret: "secret" };
	type Path = [string, (tenantId: string, userId: string) => object];
	const paths: Path[] = [
		["/tenant/update", (tenantId) => ({ tenantId, name: "Another" })],
		["/tenant/suspend", (tenantId) => ({ tenantId })],
		["/tenant/oauth-config/register", (tenantId) => ({ tenantId, ...config })],
		["/tenant/user/revoke-sessions", (tenantId, userId) => ({ tenantId, userId })],
		["/tenant/user/delete", (tenantId, userId) => ({ tenantId, userId })],
	];

	/** How drivers report SQLITE_BUSY, with and without details. */
	const reports = [
		{ code: "SQLITE_BUSY" },
		{ code: "ERR_SQLITE_ERROR", errcode: 5 },
		{ code: "ERR_SQLITE_ERROR", errcode: 517 },
	];

	it.each(reports)("is tried again if the driver reports %o", async (details) => {
		await expectRepeated("/tenant/update", (tenantId) => ({ tenantId, name: "Another" }), details);
	});

	it.each(paths)("is tried again at %s", async (path, bodyOf) => {
		await expectRepeated(path, bodyOf, { code: "SQLITE_BUSY" });
	});

	async function expectRepeated(path: Path[0], bodyOf: Path[1], details: object) {
		const { manage, makeTenant, signUp, database } = await makeInstance();
		const tenantId = await makeTenant();
		const { body } = await signUp(tenantId);
		const prepare = database.prepare.bind(database);
		const { userId } = { userId: body.user.id as string };
		let isLocked = true;
		database.prepare = (sql: string) => {
			if (isLocked && /^(update|insert|delete)/.test(sql)) {
				isLocked = false;
				throw Object.assign(new Error("database is locked"), details);
			}
			return prepare(sql);
		};
		expect((await manage(path, { body: bodyOf(tenantId, userId) })).status).toBe(200);
		expect(isLocked).toBe(false);
	}

	it("ends its transaction: nothing undoes what the winner did", async () => {
		const { makeTenant, invite, signUpWith, list, database } = await makeInvitingApp();
		const tenantId = await makeTenant();
		const { token } = await invite(tenantId, { email: "bob@corp.com" });
		const prepare = database.prepare.bind(database);
		const later: string[] = [];
		let isLost = false;
		database.prepare = (sql: string) => {
			if (isLost) later.push(sql);
			if (isLost || !sql.startsWith('insert into "user"')) return prepare(sql);
			isLost = true;
			throw Object.assign(new Error("database is locked"), { code: "SQLITE_BUSY" });
		};
		const headers = { "x-invitation-token": token };
		const { status, body } = await signUpWith(tenantId, "bob@corp.com", { headers });
		expect([status, body.code]).toEqual([409, "WRITE_CONFLICT"]);
		expect(later).toEqual(["rollback"]);
		expect(await list(tenantId)).toMatchObject([{ status: "pending" }]);
	});

	it("gets a 409 if it cannot be repeated", async () => {
		const { makeTenant, signUp, database } = await makeInstance();
		const tenantId = await makeTenant();
		const faulty = makeFaulty(database, "SQLITE_BUSY");
		for (let step = 1; ; step += 1) {
			faulty.failAt(step);
			const { status, body } = await signUp(tenantId, `user${step}@example.com`);
			const failed = faulty.stop();
			if (!failed) return;
			if (!/^(update|insert)/.test(failed)) continue;
			expect([status, body.code], failed).toEqual([409, "WRITE_CONFLICT"]);
			expect((await signUp(tenantId, `user${step}@example.com`)).status).toBe(200);
		}
	});
});

describe("a write outside of a transaction", () => {
	const methods = [
		"create",
		"update",
		"updateMany",
		"delete",
		"deleteMany",
		"consumeOne",
		"incrementOne",
	] as const satisfies (keyof DBAdapter)[];

	/** An adapter whose calls fail once each. */
	function failOnce(error: Error) {
		const calls: string[] = [];
		const method = (name: string) => async () => {
			calls.push(name);
			if (calls.filter((call) => call === name).length === 1) throw error;
			return name;
		};
		const adapter = Object.fromEntries(methods.map((name) => [name, method(name)]));
		repeatLostWrites(adapter as unknown as DBAdapter);
		return { adapter: adapter as Record<string, () => Promise<string>>, calls };
	}

	it.each(methods)("is repeated if it lost a deadlock: %s", async (name) => {
		const lost = Object.assign(new Error("deadlock detected"), { code: "40P01" });
		const { adapter, calls } = failOnce(new Error("query failed", { cause: lost }));
		expect(await adapter[name]?.()).toBe(name);
		expect(calls).toEqual([name, name]);
	});

	// It may have been written already: the adapter also reads the row, and that can time out.
	it.each(methods)("is not repeated after a timeout: %s", async (name) => {
		const timeout = Object.assign(new Error("Lock wait timeout exceeded"), { errno: 1205 });
		const { adapter, calls } = failOnce(timeout);
		await expect(adapter[name]?.()).rejects.toBe(timeout);
		expect(calls).toEqual([name]);
	});
});

const servers: [string, (() => Promise<OpenDatabase>) | null][] = [
	["PostgreSQL", services.postgres ? () => openPostgres(String(services.postgres)) : null],
	["MariaDB", services.mysql ? () => openMysql(String(services.mysql)) : null],
];

describe.each(servers)("management calls that collide on %s", (_, open) => {
	let on: OpenDatabase | undefined;
	let instance: Instance | undefined;
	beforeAll(async () => {
		if (!open) return;
		on = await open();
		instance = await makeInstance({ on });
	});
	afterAll(() => on?.close());

	const countFailures = (answers: Answer[]) => answers.filter(({ status }) => status >= 500).length;

	it.skipIf(!open)("never fail, whatever order they come in", async () => {
		if (!instance) throw new Error("the database is not open");
		const { manage, makeTenant } = instance;
		const ids = [await makeTenant("one"), await makeTenant("two"), await makeTenant("three")];
		const slugs = ["one", "two", "three"];
		const swaps = Array.from({ length: 30 }, (_, n) =>
			manage("/tenant/update", {
				body: { tenantId: ids[n % 3], slug: slugs[Math.floor(n / 3) % 3] },
			}),
		);
		expect(countFailures(await Promise.all(swaps))).toBe(0);
		const of = { tenantId: ids[0], providerId: "google" };
		const credentials = { clientId: "id", clientSecret: "secret" };
		const changes = Array.from({ length: 30 }, (_, n) => {
			if (n % 3 === 0)
				return manage("/tenant/oauth-config/register", { body: { ...of, ...credentials } });
			const action = n % 3 === 1 ? "delete" : "update";
			return manage(`/tenant/oauth-config/${action}`, { body: { ...of, enabled: false } });
		});
		expect(countFailures(await Promise.all(changes))).toBe(0);
	});
});
