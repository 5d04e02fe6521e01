import { admin as adminPlugin, twoFactor } from "better-auth/plugins";
import { describe, expect, it, vi } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { expectRefusal } from "../support/http/refusal";
import { EMAIL, type InstanceOptions, PASSWORD } from "../support/worlds/instance";
import { type LinkedApp, makeLinkedUsers, openBrowser } from "../support/worlds/linked-users";
import { useWorld } from "../support/worlds/world";

/** The titles are those of the table in docs/linked-users.md. */

const NEW_PASSWORD = "another horse battery";

async function setUp(options: InstanceOptions = {}) {
	const resets: string[] = [];
	const app = await makeLinkedUsers({
		emailAndPassword: {
			enabled: true,
			sendResetPassword: async ({ token }) => void resets.push(token),
		},
		...options,
	});
	/** What an owner of A can do to get into the user: the new mailbox is theirs. */
	async function takeOver(tenantId: string): Promise<void> {
		await app.call("/request-password-reset", { tenant: tenantId, body: { email: EMAIL } });
		const body = { token: resets.at(-1), newPassword: NEW_PASSWORD };
		expect((await app.call("/reset-password", { body })).status).toBe(200);
	}
	return { ...app, takeOver };
}

const rowsOf = ({ db }: Pick<LinkedApp, "db">) => db.selectFrom("tenantLink").selectAll().execute();

describe("attacks on linked users", () => {
	const world = useWorld(() => setUp());

	it("An owner takes over a linked user by impersonation", async () => {
		const { a, b, ada, manage, call, openLinked } = world();
		const body = { tenantId: a, userId: ada.body.user.id, reason: "help", setCookie: true };
		const impersonated = await manage("/tenant/user/impersonate", { body });
		const { cookie } = impersonated;
		// Even with the keyring of the person.
		const browser = await openLinked();
		await browser.switchTo(a);
		const [keyring] = [...browser.cookies].filter(([name]) => name.endsWith("tenant_links"));
		for (const some of [cookie, `${cookie}; ${keyring?.join("=")}`]) {
			const send = (path: string, sent?: object) =>
				call(path, { cookie: some, ...(sent ? { body: sent } : {}) });
			expectRefusal(await send("/tenant/link/start", {}), 401, "UNAUTHORIZED");
			expectRefusal(await send("/tenant/link/finish", { linkCode: "x" }), 401, "UNAUTHORIZED");
			expectRefusal(await send("/tenant/link/list"), 401, "UNAUTHORIZED");
			expectRefusal(await send("/tenant/link/end", {}), 401, "UNAUTHORIZED");
			expectRefusal(await send("/tenant/link/switch", { tenantId: b }), 404, "LINK_NOT_FOUND");
		}
		expect(await browser.list()).toHaveLength(2);
	});

	it("An owner takes over a linked user with a password reset, in another browser", async () => {
		const { a, b, takeOver, openLinked, open } = world();
		await openLinked();
		await takeOver(a);
		const owner = open();
		expect((await owner.signIn(a, { password: NEW_PASSWORD })).status).toBe(200);
		expect((await owner.send("/tenant/link/list")).body).toEqual({ users: [] });
		expectRefusal(await owner.switchTo(b), 404, "LINK_NOT_FOUND");
	});

	it("An owner takes over a linked user with a password reset, in the browser of the person", async () => {
		const { a, b, takeOver, openLinked } = world();
		const browser = await openLinked();
		await browser.switchTo(a);
		await takeOver(a);
		// The session of B in the keyring is still live.
		expect((await browser.signIn(a, { password: NEW_PASSWORD })).status).toBe(200);
		expect((await browser.send("/tenant/link/list")).body).toEqual({ users: [] });
		expectRefusal(await browser.switchTo(b), 404, "LINK_NOT_FOUND");
		const { body } = await browser.start();
		await browser.signIn(a, { password: NEW_PASSWORD });
		expectRefusal(await browser.finish(body.linkCode), 403, "LINK_NOT_PROVEN");
		expectRefusal(await browser.switchTo(b), 404, "LINK_NOT_FOUND");
	});

	it("Somebody else signs in to a browser with linked users and starts a link", async () => {
		const { a, b, openLinked, signUp, makeTenant, allow } = world();
		const c = await makeTenant();
		await allow(c);
		await signUp(c, "mallory@example.com");
		await signUp(a, "mallory@example.com");
		const browser = await openLinked();
		const mallory = { email: "mallory@example.com" };
		await browser.signIn(a, mallory);
		const { body } = await browser.start();
		await browser.signIn(c, mallory);
		const finished = await browser.finish(body.linkCode);
		const emails = finished.body.users.map((it: { user: { email: string } }) => it.user.email);
		expect(emails).toEqual(["mallory@example.com", "mallory@example.com"]);
		expectRefusal(await browser.switchTo(b), 404, "LINK_NOT_FOUND");
	});

	it("Somebody has the rows of the database", async () => {
		const app = world();
		await app.openLinked();
		const rows = await rowsOf(app);
		expect(rows).toHaveLength(2);
		const times = ["createdAt", "usedAt", "expiresAt"];
		const valuesOf = (row: object) =>
			Object.entries(row).flatMap(([name, value]) => (times.includes(name) ? [] : [value]));
		const [one = [], other = []] = rows.map(valuesOf);
		expect(one.filter((value) => other.includes(value))).toEqual([]);
		const shown = JSON.stringify(await app.eventsOf(app.a));
		for (const secret of [app.b, app.bob.body.user.id]) expect(shown).not.toContain(secret);
	});

	it("A page finishes a link that another page has started", async () => {
		const { a, b, open } = world();
		const browser = open();
		await browser.signIn(a);
		await browser.start();
		await browser.signIn(b);
		expectRefusal(await browser.finish("another code"), 403, "LINK_NOT_PROVEN");
		expect(await rowsOf(world())).toEqual([]);
	});

	it("A link is finished with a session that began before its start", async () => {
		const { a, b, open, db } = world();
		const browser = open();
		await browser.signIn(a);
		const { body } = await browser.start();
		await browser.signIn(b);
		const before = new Date(Date.now() - 60_000).toISOString();
		await db.updateTable("session").set({ createdAt: before }).where("tenantId", "=", b).execute();
		expectRefusal(await browser.finish(body.linkCode), 403, "LINK_NOT_PROVEN");
	});

	it("A link is finished after the first user has signed out", async () => {
		const { a, b, ada, open, auth } = world();
		const browser = open();
		await browser.signIn(a);
		const { body } = await browser.start();
		await browser.signIn(b);
		await auth.api.revokeTenantUserSessions({ body: { tenantId: a, userId: ada.body.user.id } });
		expectRefusal(await browser.finish(body.linkCode), 403, "LINK_NOT_PROVEN");
	});

	it("A link is finished too late", async () => {
		const { a, b, open } = world();
		const browser = open();
		await browser.signIn(a);
		const { body } = await browser.start();
		await browser.signIn(b);
		const late = Date.now() + 11 * 60_000;
		const now = vi.spyOn(Date, "now").mockReturnValue(late);
		const answer = await browser.finish(body.linkCode);
		now.mockRestore();
		expectRefusal(answer, 403, "LINK_NOT_PROVEN");
	});

	it("A link is finished by another user of the same tenant", async () => {
		const { a, open, signUp } = world();
		await signUp(a, "grace@example.com");
		const browser = open();
		await browser.signIn(a);
		const { body } = await browser.start();
		await browser.signIn(a, { email: "grace@example.com" });
		expectRefusal(await browser.finish(body.linkCode), 403, "LINK_NOT_PROVEN");
	});

	it("A copied keyring is used without the session", async () => {
		const app = world();
		const browser = await app.openLinked();
		const thief = openBrowser(
			app,
			[...browser.cookies].filter(([name]) => name.endsWith("tenant_links")),
		);
		expectRefusal(await thief.switchTo(app.a), 404, "LINK_NOT_FOUND");
		await app.signUp(app.b, "mallory@example.com");
		await thief.signIn(app.b, { email: "mallory@example.com" });
		expectRefusal(await thief.switchTo(app.a), 404, "LINK_NOT_FOUND");
		expect(await thief.list()).toEqual([]);
	});

	it("A keyring is forged or changed", async () => {
		const { a, openLinked } = world();
		const browser = await openLinked();
		const [name = "", value = ""] =
			[...browser.cookies].find(([it]) => it.endsWith("tenant_links")) ?? [];
		const plain = decodeURIComponent(value);
		const dot = plain.lastIndexOf(".");
		const changes = [
			plain.replace(/"token":"./, '"token":"_'),
			`${plain.slice(0, dot)}.${"A".repeat(43)}=`,
			plain.slice(0, dot),
			"",
			"%",
		];
		for (const changed of notEmpty(changes)) {
			browser.cookies.set(name, encodeURIComponent(changed));
			expectRefusal(await browser.switchTo(a), 404, "LINK_NOT_FOUND");
			expect(await browser.list()).toEqual([]);
		}
		browser.cookies.set(name, value);
		expect((await browser.switchTo(a)).status).toBe(200);
	});

	it("A page of another site calls with the cookies of the person", async () => {
		const { a, openLinked, call } = world();
		const browser = await openLinked();
		const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
		const headers = { origin: "https://evil.example" };
		for (const [path, body] of [
			["/tenant/link/switch", { tenantId: a }],
			["/tenant/link/start", {}],
			["/tenant/link/finish", { linkCode: "x" }],
			["/tenant/link/end", {}],
		] as const) {
			expectRefusal(await call(path, { cookie, headers, body }), 403, "INVALID_ORIGIN");
		}
	});

	it("A session ends: sign out everywhere, password reset, disabled or deleted user", async () => {
		const { a, ada, auth, openLinked, db } = world();
		const user = { tenantId: a, userId: ada.body.user.id as string };
		const endings: (() => Promise<unknown>)[] = [
			async () => {
				const other = await openLinked();
				await other.switchTo(a);
				await other.send("/revoke-other-sessions", {});
			},
			() => auth.api.revokeTenantUserSessions({ body: user }),
			() => auth.api.disableTenantUser({ body: user }),
			() => auth.api.deleteTenantUser({ body: user }),
		];
		for (const [at, end] of notEmpty(endings.entries())) {
			const browser = await openLinked();
			await end();
			expect(await browser.list(), String(at)).toEqual([]);
			expectRefusal(await browser.switchTo(a), 404, "LINK_NOT_FOUND");
			if (at === 2) await auth.api.enableTenantUser({ body: user });
		}
		const left = await db.selectFrom("tenantLink").select("userId").execute();
		expect(left.map(({ userId }) => userId)).not.toContain(user.userId);
	});

	it("A tenant is suspended or deleted, or forbids links", async () => {
		const { a, b, auth, allow, openLinked } = world();
		const browser = await openLinked();
		await auth.api.suspendTenant({ body: { tenantId: a } });
		expect(await browser.list()).toEqual([]);
		expectRefusal(await browser.switchTo(a), 404, "LINK_NOT_FOUND");
		await auth.api.resumeTenant({ body: { tenantId: a } });
		expect((await browser.switchTo(a)).status).toBe(200);
		await auth.api.suspendTenant({ body: { tenantId: a } });
		expectRefusal(await browser.switchTo(b), 404, "LINK_NOT_FOUND");
		await auth.api.resumeTenant({ body: { tenantId: a } });

		const another = await openLinked();
		await allow(b, false);
		expectRefusal(await another.switchTo(a), 404, "LINK_NOT_FOUND");
		await allow(b);

		const last = await openLinked();
		await auth.api.deleteTenant({ body: { tenantId: a } });
		expect(await last.list()).toEqual([]);
		expectRefusal(await last.switchTo(a), 404, "LINK_NOT_FOUND");
		expect(await last.current()).toBe(b);
	});

	it("A caller asks for tenants that exist, do not exist, or are not linked", async () => {
		const { a, b, openLinked, open, signUp, makeTenant } = world();
		const other = await makeTenant();
		await signUp(other);
		const browser = await openLinked();
		const answers = [
			await browser.switchTo(other),
			await browser.switchTo("no-such-tenant"),
			await browser.switchTo(b),
			await open().switchTo(a),
		];
		for (const answer of notEmpty(answers)) expectRefusal(answer, 404, "LINK_NOT_FOUND");
		expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
	});

	it("Somebody signs out at a shared computer", async () => {
		const { a, b, openLinked, db } = world();
		const browser = await openLinked();
		const before = browser.copy();
		const { id } = (await browser.send("/get-session")).body.session;
		await browser.send("/sign-out", {});
		const isLinked = (name: string) => name.endsWith("tenant_links");
		expect([...browser.cookies.keys()].filter(isLinked)).toEqual([]);
		expect(await db.selectFrom("tenantLink").select("id").execute()).toEqual([]);
		const sessions = await db.selectFrom("session").select(["id", "tenantId"]).execute();
		expect(sessions.map((it) => it.id)).not.toContain(id);
		for (const tenantId of [a, b]) {
			expectRefusal(await before.switchTo(tenantId), 404, "LINK_NOT_FOUND");
			// Only the sessions of the sign-ups, in other browsers, are left.
			expect(sessions.filter((it) => it.tenantId === tenantId)).toHaveLength(1);
		}
	});

	it("A page asks for the list again and again", async () => {
		const { a, auth, openLinked, db } = world();
		const browser = await openLinked();
		await auth.api.updateTenantPolicy({ body: { tenantId: a, session: { idleTime: 600 } } });
		const old = new Date(Date.now() - 300_000).toISOString();
		await db.updateTable("session").set({ updatedAt: old }).where("tenantId", "=", a).execute();
		expect(await browser.list()).toHaveLength(2);
		const sessions = await db
			.selectFrom("session")
			.select("updatedAt")
			.where("tenantId", "=", a)
			.execute();
		for (const { updatedAt } of notEmpty(sessions)) expect(updatedAt).toBe(old);
		const idle = new Date(Date.now() - 601_000).toISOString();
		await db.updateTable("session").set({ updatedAt: idle }).where("tenantId", "=", a).execute();
		expect(await browser.list()).toEqual([]);
		expectRefusal(await browser.switchTo(a), 404, "LINK_NOT_FOUND");
	});
});

describe("attacks on linked users, with other plugins", () => {
	it("The policy of a tenant requires a second factor that the user does not have", async () => {
		const { a, auth, openLinked } = await makeLinkedUsers({ plugins: [twoFactor()] });
		const browser = await openLinked();
		await auth.api.updateTenantPolicy({ body: { tenantId: a, secondFactor: { required: true } } });
		expect(await browser.list()).toEqual([]);
		expectRefusal(await browser.switchTo(a), 404, "LINK_NOT_FOUND");
	});

	it("An admin of the platform impersonates a linked user", async () => {
		const { a, b, ada, call, db } = await makeLinkedUsers({
			plugins: [adminPlugin()],
			tenants: { adminRoles: ["admin"] },
		});
		const body = { name: "Root", email: "root@example.com", password: PASSWORD };
		const root = await call("/sign-up/email", { body });
		await db
			.updateTable("user")
			.set({ role: "admin" })
			.where("id", "=", root.body.user.id)
			.execute();
		const impersonated = await call("/admin/impersonate-user", {
			cookie: root.cookie,
			tenant: a,
			body: { userId: ada.body.user.id },
		});
		expect(impersonated.status).toBe(200);
		const { cookie } = impersonated;
		expectRefusal(await call("/tenant/link/start", { cookie, body: {} }), 401, "UNAUTHORIZED");
		const switched = await call("/tenant/link/switch", { cookie, body: { tenantId: b } });
		expectRefusal(switched, 404, "LINK_NOT_FOUND");
	});
});
