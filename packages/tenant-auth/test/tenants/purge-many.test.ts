import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { organization } from "better-auth/plugins";
import { afterAll, describe, expect, it } from "vitest";
import { TEST_ALL } from "../../../../testing/services";
import { openSqliteFile } from "../support/databases/sqlite-file";
import { expectRefusal } from "../support/http/refusal";
import { type Instance, type InstanceOptions, makeInstance } from "../support/worlds/instance";
import { addSessions, addUsers } from "../support/worlds/many-users";

const MANY = 120;

async function makeLarge(options: InstanceOptions = {}) {
	const instance = await makeInstance(options);
	const [gone, kept] = [await instance.makeTenant("gone"), await instance.makeTenant("kept")];
	await addUsers(instance.db, gone, MANY);
	const theirs = await instance.signUp(kept);
	const erase = () => instance.manage("/tenant/delete", { body: { tenantId: gone } });
	return { ...instance, gone, kept, theirs, erase };
}

/** The tenants that have rows in the tables of users. */
async function owners({ db }: Pick<Instance, "db">) {
	const tables = ["user", "session", "account"].map((table) =>
		db.selectFrom(table).select("tenantId").distinct().execute(),
	);
	return (await Promise.all(tables)).map((rows) => rows.map(({ tenantId }) => tenantId));
}

/** Hooks that record their calls. */
function recordingHooks() {
	const calls: string[] = [];
	const of = (model: string) => ({
		delete: {
			before: async ({ id }: { id: string }) => {
				calls.push(`before ${model} ${id}`);
			},
			after: async ({ id }: { id: string }) => {
				calls.push(`after ${model} ${id}`);
			},
		},
	});
	const databaseHooks = { user: of("user"), session: of("session"), account: of("account") };
	return { calls, databaseHooks };
}

describe("deleting a tenant of many users", () => {
	it("leaves none of their rows, and does not change another tenant", async () => {
		const large = await makeLarge();
		expect((await large.erase()).status).toBe(200);
		expect(await owners(large)).toEqual([[large.kept], [large.kept], [large.kept]]);
	});

	it("serves other requests before it has finished", async () => {
		const { call, theirs, erase } = await makeLarge();
		const order: string[] = [];
		const erasing = erase().then(() => order.push("deleted"));
		// A synchronous driver never yields to the event loop.
		await new Promise((resolve) => setTimeout(resolve, 0));
		const { body } = await call("/get-session", { cookie: theirs.cookie });
		order.push("served");
		await erasing;
		expect(body.session).toBeTruthy();
		expect(order).toEqual(["served", "deleted"]);
	});

	it("takes a number of statements that depends on batches, not on users", async () => {
		const { statements, erase } = await makeLarge();
		statements.length = 0;
		await erase();
		expect(statements.length).toBeLessThan(MANY);
	});

	it("runs each hook once per row, also with several callers at once", async () => {
		const { calls, databaseHooks } = recordingHooks();
		const { erase } = await makeLarge({ databaseHooks });
		const answers = await Promise.all([erase(), erase(), erase()]);
		expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
		expect(new Set(calls).size).toBe(calls.length);
		expect(calls.length).toBe(MANY * 3 * 2);
	});

	it("runs hooks of plugins too", async () => {
		const { calls, databaseHooks } = recordingHooks();
		const plugin = { id: "notes", init: () => ({ options: { databaseHooks } }) };
		const { erase } = await makeLarge({ plugins: [plugin] });
		await erase();
		expect(calls.length).toBe(MANY * 3 * 2);
	});

	it("shows a hook the rows before the deletion, and none afterwards", async () => {
		const found: Record<string, number[]> = { before: [], after: [] };
		const count = async (when: string, userId: string) => {
			const { internalAdapter } = await large.auth.$context;
			const accounts = await internalAdapter.findAccounts(userId);
			found[when]?.push(accounts.length);
		};
		const large: Awaited<ReturnType<typeof makeLarge>> = await makeLarge({
			databaseHooks: {
				user: {
					delete: {
						before: (user) => count("before", user.id),
						after: (user) => count("after", user.id),
					},
				},
			},
		});
		await large.erase();
		expect(found).toEqual({ before: Array(MANY).fill(1), after: Array(MANY).fill(0) });
	});

	it("continues after a hook failed", async () => {
		let failing = true;
		const large = await makeLarge({
			databaseHooks: {
				user: {
					delete: {
						before: async ({ email }) => {
							if (failing && email === "user99@example.com") throw new Error("not now");
						},
					},
				},
			},
		});
		expect((await large.erase()).status).toBe(500);
		failing = false;
		expect((await large.erase()).status).toBe(200);
		expect(await owners(large)).toEqual([[large.kept], [large.kept], [large.kept]]);
	});

	it("deletes a user with many sessions, and runs hooks for them", async () => {
		const { calls, databaseHooks } = recordingHooks();
		const large = await makeLarge({ databaseHooks });
		const user = { id: "crowd", tenantId: large.gone };
		const moment = { createdAt: new Date().toISOString(), updatedAt: new Date().toISOString() };
		const row = { ...moment, ...user, name: "Crowd", email: "crowd@example.com", emailVerified: 0 };
		await large.db.insertInto("user").values(row).execute();
		await addSessions(large.db, user, 700);
		expect((await large.erase()).status).toBe(200);
		expect(await owners(large)).toEqual([[large.kept], [large.kept], [large.kept]]);
		const sessions = calls.filter((line) => /^after session .*crowd/.test(line));
		// Core would run hooks for as many.
		expect(sessions.length).toBeGreaterThanOrEqual(100);
	});

	it("deletes rows of other plugins in batches", async () => {
		const large = await makeLarge({ plugins: [organization()] });
		const { db, gone, kept, theirs, call } = large;
		await call("/organization/create", { body: { name: "K", slug: "k" }, cookie: theirs.cookie });
		const rows = Array.from({ length: 250 }, (_, n) => ({
			id: `org-${n}`,
			...{ name: "O", slug: `gone-${n}`, createdAt: new Date().toISOString() },
		}));
		const rowOwners = rows.map(({ id }) => ({
			...{ id: `owner-${id}`, model: "organization", rowId: id, tenantId: gone },
		}));
		await db.insertInto("organization").values(rows).execute();
		await db.insertInto("tenantRow").values(rowOwners).execute();
		expect((await large.erase()).status).toBe(200);
		const left = await db.selectFrom("organization").select("name").execute();
		expect(left).toEqual([{ name: "K" }]);
		const remaining = await db.selectFrom("tenantRow").select("tenantId").distinct().execute();
		expect(remaining).toEqual([{ tenantId: kept }]);
	});
});

// At each statement: purge.test.ts. This one is a real process, which takes seconds to start.
if (TEST_ALL)
	describe("a process that is killed while it deletes a tenant of many users", () => {
		const directory = mkdtempSync(join(tmpdir(), "erase-many-"));
		afterAll(() => rmSync(directory, { recursive: true }));

		/** Starts the process, and kills it when half of the users are deleted. */
		function dieHalfWay(file: string, tenantId: string): Promise<NodeJS.Signals | null> {
			const script = fileURLToPath(
				new URL("../support/processes/erasing-process.ts", import.meta.url),
			);
			const tsconfig = fileURLToPath(new URL("../tsconfig.json", import.meta.url));
			const half = String(MANY / 2);
			const child = spawn(process.execPath, ["--import", "tsx", script, file, tenantId, half], {
				env: { ...process.env, TSX_TSCONFIG_PATH: tsconfig },
				stdio: ["ignore", "pipe", "inherit"],
			});
			child.stdout.once("data", () => child.kill("SIGKILL"));
			return new Promise((resolve) => child.once("exit", (_, signal) => resolve(signal)));
		}

		it("leaves a tenant that rejects everybody, and can be deleted again", async () => {
			const { calls, databaseHooks } = recordingHooks();
			const file = join(directory, "auth.db");
			const large = await makeLarge({ on: openSqliteFile(file), databaseHooks });
			expect(await dieHalfWay(file, large.gone)).toBe("SIGKILL");

			const { rows } = await countUsers(large);
			expect(rows).toBeGreaterThan(0);
			expect(rows).toBeLessThan(MANY);
			const late = await large.signUp(large.gone, "late@example.com");
			expectRefusal(late, 404, "TENANT_NOT_FOUND");

			expect((await large.erase()).status).toBe(200);
			expect(await owners(large)).toEqual([[large.kept], [large.kept], [large.kept]]);
			// The hooks of the remaining users run, some of them for the second time.
			expect(calls.filter((line) => line.startsWith("after user"))).toHaveLength(rows);
			const { body } = await large.call("/get-session", { cookie: large.theirs.cookie });
			expect(body.session.tenantId).toBe(large.kept);
			await large.db.destroy();
		});

		async function countUsers({ db, gone }: Awaited<ReturnType<typeof makeLarge>>) {
			const rows = await db.selectFrom("user").where("tenantId", "=", gone).select("id").execute();
			return { rows: rows.length };
		}
	});
