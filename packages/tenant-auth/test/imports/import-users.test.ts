import { hashPassword } from "better-auth/crypto";
import { runInTenant } from "better-auth-tenant";
import { type ImportedUser, type ImportResult, importUsers } from "better-auth-tenant/imports";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import type { OpenDatabase } from "../support/databases/databases";
import { eachDatabase } from "../support/databases/each-database";
import {
	type Instance,
	type InstanceOptions,
	makeInstance,
	PASSWORD,
} from "../support/worlds/instance";
import { describeVariations } from "../support/worlds/variations";

const variations: [string, InstanceOptions][] = [
	["random ids", {}],
	["UUIDs", { advanced: { database: { generateId: "uuid" } } }],
	["counted ids", { advanced: { database: { generateId: "serial" } } }],
	["no password queue", { tenants: { passwordQueue: false } }],
];

/** A hash that everybody can read. */
const reversed = (password: string) => [...password].reverse().join("");

const imports = {
	passwordHashes: {
		reversed: {
			verify: ({ hash, password }: { hash: string; password: string }) =>
				hash === reversed(password),
		},
	},
};

describe.each(eachDatabase)("importing users on %s", (_, open) => {
	describeVariations("with %s", variations, (options, it) => {
		let on: OpenDatabase;
		let app: Instance;

		beforeAll(async () => {
			on = await open();
			// Better Auth's own hash: what is imported must be what it makes.
			const emailAndPassword = { enabled: true, password: {} };
			app = await makeInstance({ ...options, emailAndPassword, imports, on });
		});

		afterAll(() => on.close());

		async function run(tenantId: string, lines: Iterable<ImportedUser | string>) {
			const results: ImportResult[] = [];
			for await (const result of importUsers(app.auth, { tenantId, lines })) results.push(result);
			return results;
		}

		const statusesOf = (results: ImportResult[]) => results.map(({ status }) => status);
		const codesOf = (results: ImportResult[]) => results.map(({ code }) => code);

		const userOf = async (tenantId: string, userId: string) =>
			(await app.manage("/tenant/user/get", { query: { tenantId, userId } })).body;

		async function passwordOf(tenantId: string, userId: string): Promise<string> {
			const { adapter } = await app.auth.$context;
			const where = [
				{ field: "userId", value: userId },
				{ field: "providerId", value: "credential" },
			];
			const account = await runInTenant(app.auth, tenantId, () =>
				adapter.findOne<{ password: string }>({ model: "account", where }),
			);
			return String(account?.password);
		}

		it("changes nothing in a dry run, and reports the same", async () => {
			const tenantId = await app.makeTenant();
			await run(tenantId, [{ externalId: "known", email: "known@example.com", role: "owner" }]);
			const lines: ImportedUser[] = [
				{ externalId: "known", email: "known@example.com", name: "Known" },
				{ externalId: "new", email: "new@example.com" },
				{ externalId: "again", email: "new@example.com" },
				{ externalId: "wrong", email: "wrong" },
			];
			const planned: ImportResult[] = [];
			for await (const result of importUsers(app.auth, { tenantId, lines, dryRun: true })) {
				planned.push(result);
			}
			const { body } = await app.manage("/tenant/user/list", { query: { tenantId } });
			expect(body.map(({ name }: { name: string }) => name)).toEqual([""]);
			const done = await run(tenantId, lines);
			expect(statusesOf(planned)).toEqual(["updated", "created", "failed", "failed"]);
			expect(planned[1]?.userId).toBe(null);
			expect(done).toEqual(planned.map((it, index) => ({ ...it, userId: done[index]?.userId })));
		});

		it("imports users with what they have", async () => {
			const tenantId = await app.makeTenant();
			const [result] = await run(tenantId, [
				{
					externalId: "1",
					email: "Ada@Example.com",
					name: "Ada",
					emailVerified: true,
					image: "https://example.com/ada.png",
					role: "owner",
					createdAt: "2020-02-29T12:00:00Z",
					accounts: [{ providerId: "github", accountId: "583231" }],
				},
			]);
			expect(result).toEqual({
				line: 1,
				externalId: "1",
				status: "created",
				userId: expect.any(String),
				code: null,
				message: null,
			});
			const { user, accounts } = await userOf(tenantId, String(result?.userId));
			expect(user).toMatchObject({
				email: "ada@example.com",
				name: "Ada",
				emailVerified: true,
				image: "https://example.com/ada.png",
				tenantId,
				tenantRole: "owner",
				createdAt: "2020-02-29T12:00:00.000Z",
			});
			expect(accounts).toEqual([
				expect.objectContaining({ providerId: "github", accountId: "583231" }),
			]);
		});

		it("takes hashes of Better Auth as they are", async () => {
			const tenantId = await app.makeTenant();
			const hash = await hashPassword(PASSWORD);
			const password = { kind: "better-auth", hash };
			const [result] = await run(tenantId, [{ externalId: "1", email: "a@example.com", password }]);
			const userId = String(result?.userId);
			expect(await passwordOf(tenantId, userId)).toBe(hash);
			expect((await app.signIn(tenantId, { email: "a@example.com" })).status).toBe(200);
			expect(await passwordOf(tenantId, userId)).toBe(hash);
		});

		it("verifies a hash of another kind, and hashes the password again", async () => {
			const tenantId = await app.makeTenant();
			const email = "a@example.com";
			const password = { kind: "reversed", hash: reversed(PASSWORD) };
			const [result] = await run(tenantId, [{ externalId: "1", email, password }]);
			const userId = String(result?.userId);
			const imported = await passwordOf(tenantId, userId);
			expect(imported).toMatch(/^imported:reversed:/);
			const wrong = await app.signIn(tenantId, { email, password: "wrong horse battery" });
			expect([wrong.status, wrong.body.code]).toEqual([401, "INVALID_EMAIL_OR_PASSWORD"]);
			// The stored text is not a password.
			for (const text of [imported, password.hash]) {
				expect((await app.signIn(tenantId, { email, password: text })).status).toBe(401);
			}
			expect(await passwordOf(tenantId, userId)).toBe(imported);
			const signIns = [0, 1, 2].map(() => app.signIn(tenantId, { email }));
			for (const { status } of notEmpty(await Promise.all(signIns))) expect(status).toBe(200);
			const own = await passwordOf(tenantId, userId);
			expect(own).toMatch(/^[\da-f]{32}:[\da-f]{128}$/);
			expect((await app.signIn(tenantId, { email })).status).toBe(200);
			expect(await passwordOf(tenantId, userId)).toBe(own);
		});

		it("keeps one of two owners whom two imports remove at once", async () => {
			const tenantId = await app.makeTenant();
			const lines = ["1", "2"].map((id) => ({ externalId: id, email: `${id}@example.com` }));
			await run(
				tenantId,
				lines.map((line) => ({ ...line, role: "owner" })),
			);
			const removals = [{ disabled: true }, { role: "member" }];
			const results = await Promise.all(
				lines.map((line, index) => run(tenantId, [{ ...line, ...removals[index] }])),
			);
			expect(codesOf(results.flat()).sort()).toEqual(["LAST_OWNER", null]);
		});

		it("updates the same user when it is repeated", async () => {
			const tenantId = await app.makeTenant();
			const line = { externalId: "1", email: "a@example.com", name: "A" };
			const [first] = await run(tenantId, [line]);
			expect(statusesOf(await run(tenantId, [line]))).toEqual(["unchanged"]);
			const changed = { externalId: "1", email: "b@example.com", role: "admin" } as const;
			const accounts = [{ providerId: "github", accountId: "1" }];
			const results = await run(tenantId, [changed, { ...changed, accounts }, changed]);
			expect(statusesOf(results)).toEqual(["updated", "updated", "unchanged"]);
			for (const { userId } of notEmpty(results)) expect(userId).toBe(first?.userId);
			const { user } = await userOf(tenantId, String(first?.userId));
			expect(user).toMatchObject({ email: "b@example.com", name: "A", tenantRole: "admin" });
			const rest = { externalId: "1", email: "b@example.com" };
			await run(tenantId, [{ ...rest, role: "member", disabled: true }]);
			const again = (await userOf(tenantId, String(first?.userId))).user;
			expect(again).toMatchObject({ tenantRole: null, disabledAt: expect.any(String) });
		});

		it("never replaces a password", async () => {
			const tenantId = await app.makeTenant();
			const own = { kind: "better-auth", hash: await hashPassword(PASSWORD) };
			const line = { externalId: "1", email: "a@example.com" };
			await run(tenantId, [{ ...line, password: own }]);
			const password = { kind: "reversed", hash: "old" };
			expect(statusesOf(await run(tenantId, [{ ...line, password }]))).toEqual(["unchanged"]);
			expect((await app.signIn(tenantId, { email: line.email })).status).toBe(200);
		});

		it("imports the other lines if some are wrong", async () => {
			const tenantId = await app.makeTenant();
			await app.signUp(tenantId, "taken@example.com");
			const account = { providerId: "github", accountId: "7" };
			const email = "x@example.com";
			const results = await run(tenantId, [
				{ externalId: "1", email: "a@example.com", accounts: [account] },
				"{",
				{ externalId: "2", email: "not an email" },
				{ externalId: "3", email: "taken@example.com" },
				{ externalId: "4", email: "a@example.com" },
				{ externalId: "5", email, accounts: [account] },
				{ externalId: "6", email, password: { kind: "unknown", hash: "x" } },
				{ externalId: "7", email, password: { kind: "better-auth", hash: "imported:a:b:c" } },
				{ externalId: "8", email, unknown: true } as ImportedUser,
				{ externalId: "9", email, accounts: [{ providerId: "credential", accountId: "9" }] },
				{ externalId: "10", email: "b@example.com", accounts: [account, account].slice(2) },
				'{"externalId":"11","email":"c@example.com"}',
			]);
			expect(codesOf(results)).toEqual([
				null,
				"INVALID_JSON",
				"VALIDATION_ERROR",
				"EMAIL_TAKEN",
				"EMAIL_TAKEN",
				"ACCOUNT_TAKEN",
				"UNSUPPORTED_PASSWORD_HASH",
				"UNSUPPORTED_PASSWORD_HASH",
				"VALIDATION_ERROR",
				"VALIDATION_ERROR",
				null,
				null,
			]);
			expect(results.map(({ line }) => line)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
			const users = await app.manage("/tenant/user/list", { query: { tenantId } });
			expect(users.headers.get("x-total-count")).toBe("4");
		});

		it("creates each user once if two imports run at once", async () => {
			const tenantId = await app.makeTenant();
			const lines = Array.from({ length: 150 }, (_, n) => ({
				externalId: `id-${n}`,
				email: `user-${n}@example.com`,
				accounts: [{ providerId: "github", accountId: String(n) }],
			}));
			const both = await Promise.all([run(tenantId, lines), run(tenantId, lines)]);
			const created = both.flat().filter(({ status }) => status === "created");
			expect(created).toHaveLength(150);
			expect(statusesOf(await run(tenantId, lines))).toEqual(lines.map(() => "unchanged"));
			const users = await app.manage("/tenant/user/list", { query: { tenantId } });
			expect(users.headers.get("x-total-count")).toBe("150");
			const { body: events } = await app.manage("/tenant/audit/list", {
				query: { tenantId, action: "user:import" },
			});
			const counts = events.map(({ detail }: { detail: { created: number } }) => detail.created);
			expect(counts.reduce((sum: number, count: number) => sum + count, 0)).toBe(150);
		});

		it("keeps external ids apart by tenant, and deletes them with it", async () => {
			const [one, two] = [await app.makeTenant(), await app.makeTenant()];
			const line = { externalId: "same", email: "same@example.com" };
			const [first] = await run(one, [line]);
			const [second] = await run(two, [line]);
			expect([first?.status, second?.status]).toEqual(["created", "created"]);
			expect(first?.userId).not.toBe(second?.userId);
			await app.manage("/tenant/delete", { body: { tenantId: one } });
			const rows = await app.db.selectFrom("tenantImportedUser").selectAll().execute();
			expect(rows.filter(({ tenantId }) => tenantId === one)).toEqual([]);
			expect(statusesOf(await run(two, [line]))).toEqual(["unchanged"]);
		});

		it("creates a user again who was deleted", async () => {
			const tenantId = await app.makeTenant();
			const line = { externalId: "1", email: "a@example.com" };
			const [first] = await run(tenantId, [line]);
			await app.manage("/tenant/user/delete", { body: { tenantId, userId: first?.userId } });
			expect(statusesOf(await run(tenantId, [line]))).toEqual(["created"]);
		});

		it("imports nothing into a suspended or unknown tenant", async () => {
			const tenantId = await app.makeTenant();
			await app.manage("/tenant/suspend", { body: { tenantId } });
			const lines = [{ externalId: "1", email: "a@example.com" }];
			await expect(run(tenantId, lines)).rejects.toMatchObject({
				body: { code: "TENANT_SUSPENDED" },
			});
			await expect(run("unknown", lines)).rejects.toMatchObject({
				body: { code: "TENANT_NOT_FOUND" },
			});
		});
	});
});
