import { runWithTransaction } from "@better-auth/core/context";
import { admin } from "better-auth/plugins";
import { describe, expect, it } from "vitest";
import { openSqlite } from "../support/databases";
import { makeMemoryStorage } from "../support/memory-storage";
import { describeMoveUsers } from "../support/move-users-behaviors";
import { makePlatform } from "../support/moving-people";
import { expectRefusal } from "../support/refusal";

describe("moving users on SQLite", () => {
	describeMoveUsers(openSqlite);

	it("needs a database with transactions", async () => {
		const { signUp, move, makeTenant } = await makePlatform({ transactions: false });
		const ada = await signUp();
		expectRefusal(await move(await makeTenant(), [ada.id]), 409, "TRANSACTION_REQUIRED");
	});

	it("does not run inside of a transaction of the app", async () => {
		const { auth, signUp, makeTenant } = await makePlatform();
		const [tenantId, ada] = [await makeTenant(), await signUp()];
		const { adapter } = await auth.$context;
		const moving = runWithTransaction(adapter, () =>
			auth.api.moveTenantUsers({ body: { tenantId, userIds: [ada.id] } }),
		);
		await expect(moving).rejects.toMatchObject({ body: { code: "TRANSACTION_REQUIRED" } });
	});

	it("refuses a platform admin", async () => {
		const options = { plugins: [admin()], tenants: { adminRoles: ["admin"] } };
		const { db, signUp, move, makeTenant } = await makePlatform(options);
		const ada = await signUp();
		await db.updateTable("user").set({ role: "admin" }).where("id", "=", ada.id).execute();
		const refused = await move(await makeTenant(), [ada.id]);
		expect(refused.body.conflicts).toEqual([
			expect.objectContaining({ code: "PLATFORM_ADMIN", userId: ada.id }),
		]);
	});

	it("ends the sessions in which an admin impersonates a user, and no other", async () => {
		const { call, db, signUp, sessionOf, move, makeTenant } = await makePlatform();
		const [boss, ada] = [await signUp(), await signUp()];
		await db.updateTable("user").set({ role: "admin" }).where("id", "=", boss.id).execute();
		const body = { userId: ada.id };
		const acting = await call("/admin/impersonate-user", { cookie: boss.cookie, body });
		expect((await sessionOf(acting.cookie)).user.id).toBe(ada.id);
		const moved = await move(await makeTenant(), [ada.id]);
		expect(moved.body.endedSessions).toBe(1);
		expect(await sessionOf(acting.cookie)).toBeNull();
		expect((await sessionOf(ada.cookie)).user.id).toBe(ada.id);
	});

	it("keeps a link to reset the password", async () => {
		const links: string[] = [];
		const app = await makePlatform({
			emailAndPassword: {
				enabled: true,
				sendResetPassword: async ({ token }) => {
					links.push(token);
				},
			},
		});
		const { call, signUp, signIn, move, makeTenant } = app;
		const [tenant, ada] = [await makeTenant(), await signUp()];
		await call("/request-password-reset", { body: { email: ada.email } });
		await move(tenant, [ada.id]);
		const newPassword = "another horse battery";
		const reset = await call("/reset-password", { body: { token: links[0], newPassword } });
		expect(reset.status).toBe(200);
		expect((await signIn(ada.email, tenant)).status).toBe(401);
	});

	describe.each([
		["alone", {}],
		["and the database", { session: { storeSessionInDatabase: true } }],
	])("with sessions in a secondary storage %s", (_, options) => {
		it("keeps them, which are the tenant's from then on", async () => {
			const storage = makeMemoryStorage();
			const app = await makePlatform({ ...options, secondaryStorage: storage });
			const { signUp, sessionOf, move, makeTenant } = app;
			const [tenant, ada] = [await makeTenant(), await signUp()];
			expect((await move(tenant, [ada.id])).status).toBe(200);
			const found = await sessionOf(ada.cookie);
			expect(found.session).toMatchObject({ userId: ada.id, tenantId: tenant });
			expect(found.user).toMatchObject({ id: ada.id, tenantId: tenant });
		});

		it("rejects one that is written back as it was before", async () => {
			const storage = makeMemoryStorage();
			const app = await makePlatform({ ...options, secondaryStorage: storage });
			const { call, signUp, sessionOf, move, makeTenant } = app;
			const [tenant, ada] = [await makeTenant(), await signUp()];
			const token = decodeURIComponent(/session_token=([^.]+)/.exec(ada.cookie)?.[1] ?? "");
			const before = String(await storage.get(token));
			await move(tenant, [ada.id]);
			await storage.set(token, before, 1000);
			expect(await sessionOf(ada.cookie)).toBeNull();
			const listed = await call("/list-sessions", { cookie: ada.cookie });
			expect(listed.status).toBe(401);
		});
	});

	it("refuses API keys that only a secondary storage has", async () => {
		const { apiKey } = await import("@better-auth/api-key");
		const app = await makePlatform({
			secondaryStorage: makeMemoryStorage(),
			plugins: [apiKey({ storage: "secondary-storage" })],
		});
		const { call, signUp, move, makeTenant } = app;
		const [tenant, ada] = [await makeTenant(), await signUp()];
		await call("/api-key/create", { cookie: ada.cookie, body: { name: "key" } });
		const refused = await move(tenant, [ada.id]);
		expect(refused.body.conflicts).toEqual([
			expect.objectContaining({ code: "API_KEY_IN_STORAGE", userId: ada.id }),
		]);
	});
});
