import { describe, expect, it } from "vitest";
import { makeMemoryStorage } from "../support/databases/memory-storage";
import { makePlatform } from "../support/worlds/moving-people";

describe("moving users", () => {
	it.each([
		["", {}],
		[", with the tenant in session tokens", { tenantInSessionTokens: true }],
	])(
		"ends the sessions in which an admin impersonates a user, and no other%s",
		async (_, tenants) => {
			const { call, db, signUp, sessionOf, move, makeTenant } = await makePlatform({ tenants });
			const [boss, ada] = [await signUp(), await signUp()];
			await db.updateTable("user").set({ role: "admin" }).where("id", "=", boss.id).execute();
			const body = { userId: ada.id };
			const acting = await call("/admin/impersonate-user", { cookie: boss.cookie, body });
			expect((await sessionOf(acting.cookie)).user.id).toBe(ada.id);
			const moved = await move(await makeTenant(), [ada.id]);
			expect(moved.body.endedSessions).toBe(1);
			expect(await sessionOf(acting.cookie)).toBeNull();
			expect((await sessionOf(ada.cookie)).user.id).toBe(ada.id);
		},
	);

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
});
