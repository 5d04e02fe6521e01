import { cleanUp } from "better-auth-tenant";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import type { OpenDatabase } from "./databases";
import { EMAIL, type Instance, makeInstance } from "./instance";

const DAY_MS = 24 * 60 * 60 * 1000;

/** "Why can Bob not get in?", on a real database. */
export function describeSignInLog(open: () => Promise<OpenDatabase>): void {
	let on: OpenDatabase;
	let app: Instance;
	let tenantId: string;
	let userId: string;

	beforeAll(async () => {
		on = await open();
		const { db, type } = on;
		app = await makeInstance({
			on: { db, type },
			tenants: { signInLog: {} },
			advanced: { ipAddress: { ipAddressHeaders: ["x-forwarded-for"] } },
		});
	});

	afterAll(() => on.close());

	beforeEach(async () => {
		tenantId = await app.makeTenant();
		userId = (await app.signUp(tenantId)).body.user.id;
		await waitForRows(1);
		await on.db.deleteFrom("tenantSignIn").execute();
	});

	async function list(query: Record<string, string> = {}) {
		const answer = await app.manage("/tenant/sign-in/list", { query: { tenantId, ...query } });
		expect(answer.status, JSON.stringify(answer.body)).toBe(200);
		return answer;
	}

	/** They are stored in the background. */
	async function waitForRows(count: number) {
		return vi.waitFor(async () => {
			const answer = await list();
			expect(answer.body).toHaveLength(count);
			return answer.body;
		});
	}

	it("says who signed in, how and from where", async () => {
		const headers = { "x-forwarded-for": "203.0.113.7", "user-agent": "a browser" };
		expect((await app.signIn(tenantId, { headers })).status).toBe(200);
		expect(await waitForRows(1)).toEqual([
			{
				id: expect.any(String),
				createdAt: expect.any(String),
				result: "succeeded",
				reason: null,
				user: { id: userId, name: "User", email: EMAIL },
				method: "password",
				providerId: null,
				ipAddress: "203.0.113.7",
				userAgent: "a browser",
				attempts: 1,
			},
		]);
	});

	it("says why somebody could not, and contains no email that was entered", async () => {
		await app.signIn(tenantId, { password: "wrong horse battery" });
		await waitForRows(1);
		await app.signIn(tenantId, { email: "nobody@example.com" });
		await waitForRows(2);
		const body = { email: EMAIL, password: "wrong horse battery" };
		await app.call("/sign-in/email", { body, tenant: tenantId });
		const rows = await waitForRows(3);
		expect(rows.map((row: { reason: string; user: object }) => [row.reason, row.user])).toEqual([
			["INVALID_PASSWORD", expect.objectContaining({ id: userId })],
			["USER_NOT_FOUND", null],
			["INVALID_PASSWORD", expect.objectContaining({ id: userId })],
		]);
		const stored = await on.db.selectFrom("tenantSignIn").selectAll().execute();
		expect(JSON.stringify(stored)).not.toMatch(/nobody|example\.com|horse/);
	});

	it("finds the sign-ins of a user, of an email, of a result and of a time", async () => {
		await app.signIn(tenantId);
		await waitForRows(1);
		await app.signIn(tenantId, { password: "wrong horse battery" });
		await waitForRows(2);
		await app.signIn(tenantId, { email: "Nobody@example.com" });
		await waitForRows(3);
		const count = async (query: Record<string, string>) => (await list(query)).body.length;
		expect(await count({ userId })).toBe(2);
		expect(await count({ email: EMAIL })).toBe(2);
		expect(await count({ email: "nobody@EXAMPLE.com" })).toBe(1);
		expect(await count({ email: "nobod@example.com" })).toBe(0);
		expect(await count({ result: "failed" })).toBe(2);
		expect(await count({ reason: "USER_NOT_FOUND" })).toBe(1);
		expect(await count({ since: new Date(Date.now() + 60_000).toISOString() })).toBe(0);
		expect(await count({ until: new Date(Date.now() + 60_000).toISOString() })).toBe(3);
	});

	it("is read page by page", async () => {
		for (let n = 1; n <= 3; n += 1) {
			await app.signIn(tenantId);
			await waitForRows(n);
		}
		const first = await list({ limit: "2" });
		expect(first.headers.get("x-total-count")).toBe("3");
		const cursor = first.headers.get("x-next-cursor") ?? "";
		const second = await list({ limit: "2", cursor });
		const ids = [...first.body, ...second.body].map(({ id }: { id: string }) => id);
		expect(new Set(ids).size).toBe(3);
	});

	it("shows a tenant its own sign-ins only", async () => {
		const other = await app.makeTenant();
		await app.signIn(tenantId);
		await waitForRows(1);
		const answer = await app.manage("/tenant/sign-in/list", { query: { tenantId: other } });
		expect(answer.body).toEqual([]);
	});

	it("forgets a user who is deleted, but not that somebody signed in", async () => {
		const headers = { "x-forwarded-for": "203.0.113.7", "user-agent": "a browser" };
		const email = "grace@example.com";
		const other = (await app.signUp(tenantId, email)).body.user.id;
		await app.signIn(tenantId, { headers });
		await app.signIn(tenantId, { headers, email });
		await waitForRows(3);
		await app.manage("/tenant/user/delete", { body: { tenantId, userId } });
		const rows = await on.db.selectFrom("tenantSignIn").selectAll().execute();
		const nothing = { userId: null, emailDigest: null, ipAddress: null, userAgent: null };
		expect(rows.find((row) => row.userId === null)).toMatchObject({
			...nothing,
			result: "succeeded",
			method: "password",
		});
		const ofOther = rows.filter((row) => row.userId === other);
		expect(ofOther.map((row) => row.ipAddress)).toContain("203.0.113.7");
	});

	it("is cleaned up after 90 days, and deleted with the tenant", async () => {
		await app.signIn(tenantId);
		await waitForRows(1);
		const { adapter } = await app.auth.$context;
		const where = [{ field: "tenantId", value: tenantId }];
		const model = "tenantSignIn";
		const stored = await adapter.findOne<{ expiresAt: Date }>({ model, where });
		const days = ((stored?.expiresAt.getTime() ?? 0) - Date.now()) / DAY_MS;
		expect(Math.round(days)).toBe(90);
		expect((await cleanUp(app.auth)).signIns).toBe(0);
		await adapter.updateMany({ model, where, update: { expiresAt: new Date(Date.now() - 1000) } });
		expect((await cleanUp(app.auth)).signIns).toBe(1);
		await app.signIn(tenantId);
		await waitForRows(1);
		await app.manage("/tenant/delete", { body: { tenantId } });
		expect(await on.db.selectFrom("tenantSignIn").selectAll().execute()).toEqual([]);
	});
}
