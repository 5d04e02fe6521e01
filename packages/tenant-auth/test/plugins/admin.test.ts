import { createAuthMiddleware } from "better-auth/api";
import { admin, bearer } from "better-auth/plugins";
import { describe, expect, it } from "vitest";
import { type Answer, EMAIL, type InstanceOptions, PASSWORD } from "../support/instance";
import { sessionStores } from "../support/session-stores";
import { makeTwoUsers, orders } from "../support/two-tenants";

/** Where a session is found by other means than the scoped adapter, and where it is not. */
const stores = sessionStores.filter(([name]) => !/JWT|encrypted|refreshed/.test(name));

/** A platform administrator, and two tenants with a user of the same address. */
async function setUp({ tenants, ...options }: InstanceOptions = {}) {
	const app = await makeTwoUsers({
		...options,
		tenants: { adminRoles: ["admin"], ...tenants },
		plugins: [admin(), ...(options.plugins ?? [])],
	});
	const { call, db, a, b, ada, bob } = app;
	async function giveRole(userId: string, role: string) {
		await db.updateTable("user").set({ role }).where("id", "=", userId).execute();
	}
	async function signUpOnPlatform(email: string, role: string) {
		const body = { name: "Operator", email, password: PASSWORD };
		const { body: answer } = await call("/sign-up/email", { body });
		await giveRole(answer.user.id, role);
		// With the role in it, wherever sessions are kept.
		const signedIn = await call("/sign-in/email", { body: { email, password: PASSWORD } });
		return { id: answer.user.id as string, cookie: signedIn.cookie };
	}
	const operator = await signUpOnPlatform("operator@example.com", "admin");
	const users = { a: String(ada.body.user.id), b: String(bob.body.user.id) };
	/** One of the tenant's users becomes its administrator. */
	async function makeTenantsAdmin() {
		await giveRole(users.a, "admin");
		return (await app.signIn(a)).cookie;
	}
	const act = (path: string, cookie: string, tenant: string | undefined, body?: object) =>
		call(`/admin${path}`, { cookie, ...(tenant ? { tenant } : {}), ...(body ? { body } : {}) });
	const visit = (path: string, tenant: string, body?: object) =>
		act(path, operator.cookie, tenant, body);
	return {
		...app,
		a,
		b,
		users,
		operator,
		act,
		visit,
		giveRole,
		signUpOnPlatform,
		makeTenantsAdmin,
	};
}

type App = Awaited<ReturnType<typeof setUp>>;

const emails = ({ body }: Answer) => body.users.map(({ email }: { email: string }) => email);
const ids = ({ body }: Answer) => body.users?.map(({ id }: { id: string }) => id);

/** Each endpoint of the plugin that takes a user or a session, called with B's. */
function attempts({ users, bob }: App): [string, object | undefined][] {
	const userId = users.b;
	return [
		["/list-users", undefined],
		[`/get-user?id=${userId}`, undefined],
		["/set-role", { userId, role: "admin" }],
		["/update-user", { userId, data: { name: "Taken over" } }],
		["/ban-user", { userId }],
		["/unban-user", { userId }],
		["/list-user-sessions", { userId }],
		["/revoke-user-session", { sessionToken: bob.body.token }],
		["/revoke-user-sessions", { userId }],
		["/impersonate-user", { userId }],
		["/set-user-password", { userId, newPassword: "another password" }],
		["/remove-user", { userId }],
	];
}

/** What of B must be as it was, whoever tried what. */
async function expectUntouched(app: App) {
	const { db, users, sessionOf, bob, signIn, b } = app;
	const row = await db.selectFrom("user").selectAll().where("id", "=", users.b).executeTakeFirst();
	expect(row).toMatchObject({ name: "User", email: EMAIL, tenantId: b });
	expect([row?.role, row?.banned || 0]).toEqual(["user", 0]);
	expect((await sessionOf(bob.cookie))?.user.id).toBe(users.b);
	expect((await signIn(b)).status).toBe(200);
}

describe("a platform administrator who names a tenant", () => {
	it.each(orders)(
		"lists, searches, filters and sorts its users alone, plugin %s",
		async (_, order) => {
			const { a, b, users, signUp, visit, act, operator } = await setUp(order);
			for (const name of ["cy", "bo", "di"]) await signUp(a, `${name}@example.com`);
			expect(ids(await visit("/list-users", b))).toEqual([users.b]);
			const all = await visit("/list-users?sortBy=email", a);
			expect(emails(all)).toEqual([EMAIL, "bo@example.com", "cy@example.com", "di@example.com"]);
			expect(all.body.total).toBe(4);
			const page = await visit("/list-users?sortBy=email&sortDirection=desc&limit=2&offset=1", a);
			expect(emails(page)).toEqual(["cy@example.com", "bo@example.com"]);
			expect(page.body.total).toBe(4);
			const found = await visit("/list-users?searchValue=ada&searchField=email", a);
			expect([ids(found), found.body.total]).toEqual([[users.a], 1]);
			for (const filter of [
				`filterField=id&filterValue=${users.b}`,
				`filterField=tenantId&filterValue=${b}`,
			]) {
				const none = await visit(`/list-users?${filter}`, a);
				expect([ids(none), none.body.total]).toEqual([[], 0]);
			}
			const others = "filterField=tenantId&filterOperator=ne&filterValue=x";
			expect((await visit(`/list-users?${others}`, b)).body.total).toBe(1);
			const platform = await act("/list-users", operator.cookie, undefined);
			expect(ids(platform)).toEqual([operator.id]);
		},
	);

	it("creates, reads, changes and removes a user of it", async () => {
		const { a, b, visit, call } = await setUp();
		const body = { email: "new@example.com", password: PASSWORD, name: "New", role: "user" };
		const created = await visit("/create-user", a, { ...body, data: { tenantId: b } });
		expect(created.body.user).toMatchObject({ email: body.email, tenantId: a });
		const userId = created.body.user.id;
		expect((await visit("/create-user", b, body)).status).toBe(200);
		expect((await visit("/create-user", a, body)).status).toBe(400);
		expect((await visit(`/get-user?id=${userId}`, a)).body.email).toBe(body.email);
		expect((await visit(`/get-user?id=${userId}`, b)).status).toBe(404);
		const data = { name: "Renamed", tenantId: b };
		const changed = await visit("/update-user", a, { userId, data });
		expect(changed.body).toMatchObject({ name: "Renamed", tenantId: a });
		expect((await visit("/set-role", a, { userId, role: "admin" })).body.user.role).toBe("admin");
		const newPassword = "another password";
		expect((await visit("/set-user-password", a, { userId, newPassword })).status).toBe(200);
		const signIn = (tenantId: string, password: string) =>
			call("/tenant/sign-in/email", { body: { tenantId, email: body.email, password } });
		expect((await signIn(a, newPassword)).status).toBe(200);
		expect((await signIn(b, newPassword)).status).toBe(401);
		expect((await visit("/remove-user", a, { userId })).status).toBe(200);
		expect((await signIn(a, newPassword)).status).toBe(401);
		expect((await signIn(b, PASSWORD)).status).toBe(200);
	});

	it.each(stores)("bans and unbans in it, with sessions %s", async (_, store) => {
		const app = await setUp(store());
		const { a, users, visit, signIn, sessionOf, ada } = app;
		const banned = await visit("/ban-user", a, { userId: users.a });
		expect(banned.body.user).toMatchObject({ id: users.a, banned: true });
		const query = "disableCookieCache=true";
		expect((await app.call(`/get-session?${query}`, { cookie: ada.cookie })).body).toBeNull();
		expect((await signIn(a)).body.code).toBe("BANNED_USER");
		await expectUntouched(app);
		expect((await visit("/unban-user", a, { userId: users.a })).status).toBe(200);
		expect((await sessionOf((await signIn(a)).cookie)).user.id).toBe(users.a);
	});

	it.each(stores)("lists and revokes sessions in it, with sessions %s", async (_, store) => {
		const app = await setUp(store());
		const { a, b, users, visit, signIn, ada } = app;
		await signIn(a);
		await signIn(a);
		const list = async (tenant: string) =>
			(await visit("/list-user-sessions", tenant, { userId: users.a })).body.sessions;
		expect(await list(a)).toHaveLength(3);
		expect(await list(b)).toEqual([]);
		await visit("/revoke-user-session", b, { sessionToken: ada.body.token });
		expect(await list(a)).toHaveLength(3);
		await visit("/revoke-user-session", a, { sessionToken: ada.body.token });
		expect(await list(a)).toHaveLength(2);
		await visit("/revoke-user-sessions", b, { userId: users.a });
		expect(await list(a)).toHaveLength(2);
		await visit("/revoke-user-sessions", a, { userId: users.a });
		expect(await list(a)).toEqual([]);
		await expectUntouched(app);
	});

	it.each(stores)("impersonates in it and comes back, with sessions %s", async (_, store) => {
		const { a, b, users, visit, call, operator, sessionOf } = await setUp(store());
		const began = await visit("/impersonate-user", a, { userId: users.a });
		expect(began.body.session).toMatchObject({ tenantId: a, impersonatedBy: operator.id });
		const mask = began.cookie;
		expect(await sessionOf(mask)).toMatchObject({ user: { id: users.a, tenantId: a } });
		expect(await sessionOf(mask, b)).toBeNull();
		const stop = (cookie: string, tenant?: string) =>
			call("/admin/stop-impersonating", {
				method: "POST",
				cookie,
				...(tenant ? { tenant } : {}),
			});
		expect((await stop(mask, b)).status).toBe(401);
		expect((await stop(operator.cookie)).status).toBe(400);
		const ended = await stop(mask);
		expect(ended.body.user).toMatchObject({ id: operator.id, tenantId: null });
		expect((await sessionOf(ended.cookie)).user.id).toBe(operator.id);
		expect((await call("/get-session?disableCookieCache=true", { cookie: mask })).body).toBeNull();
		const again = await visit("/impersonate-user", a, { userId: users.a });
		expect((await stop(again.cookie, a)).body.user.id).toBe(operator.id);
	});

	it("who comes back is in the tenant up to the end, but for the own user", async () => {
		let ids: string[] = [];
		const found: unknown[] = [];
		const after = createAuthMiddleware(async ({ path, context }) => {
			if (path !== "/admin/stop-impersonating") return;
			for (const id of ids) found.push((await context.internalAdapter.findUserById(id))?.id);
		});
		const { a, users, operator, visit, call } = await setUp({ hooks: { after } });
		ids = [users.a, users.b, operator.id];
		const { cookie } = await visit("/impersonate-user", a, { userId: users.a });
		await call("/admin/stop-impersonating", { method: "POST", cookie });
		expect(found).toEqual([users.a, undefined, operator.id]);
	});

	it("has a hook change the tenant's sessions, and none that is not there", async () => {
		let tokens: string[] = [];
		const changed: unknown[] = [];
		const after = createAuthMiddleware(async ({ path, context }) => {
			if (path !== "/admin/list-users") return;
			for (const token of tokens) {
				changed.push(await context.internalAdapter.updateSession(token, { userAgent: "seen" }));
			}
		});
		const { a, ada, bob, visit } = await setUp({ hooks: { after } });
		tokens = [ada.body.token, bob.body.token, "none"];
		expect((await visit("/list-users", a)).status).toBe(200);
		expect(changed).toMatchObject([{ token: ada.body.token, userAgent: "seen" }, null, null]);
	});

	it("reaches no user of another tenant or of the platform", async () => {
		const app = await setUp();
		const { a, visit, operator, db } = app;
		for (const [path, body] of attempts(app)) {
			const { status, body: answer } = await visit(path, a, body);
			if (status === 200) expect(JSON.stringify(answer), path).not.toContain(app.users.b);
		}
		await expectUntouched(app);
		const self = { userId: operator.id };
		expect((await visit(`/get-user?id=${operator.id}`, a)).status).toBe(404);
		const newPassword = "another password";
		expect((await visit("/set-user-password", a, { ...self, newPassword })).status).toBe(404);
		expect((await visit("/impersonate-user", a, self)).status).toBe(404);
		await visit("/revoke-user-sessions", a, self);
		await visit("/set-role", a, { ...self, role: "user" });
		expect((await visit("/list-users", a)).status).toBe(200);
		const rows = await db
			.selectFrom("account")
			.where("userId", "=", operator.id)
			.selectAll()
			.execute();
		expect(rows.map(({ tenantId }) => tenantId)).toEqual([""]);
	});

	it("counts there only at the admin plugin's endpoints", async () => {
		const { a, operator, call, sessionOf } = await setUp();
		expect(await sessionOf(operator.cookie, a)).toBeNull();
		for (const path of ["/list-sessions", "/list-accounts"]) {
			expect((await call(path, { cookie: operator.cookie, tenant: a })).status).toBe(401);
		}
		const body = { name: "Renamed" };
		const update = await call("/update-user", { cookie: operator.cookie, tenant: a, body });
		expect(update.status).toBe(401);
	});

	it("may present a bearer token instead of a cookie", async () => {
		const { b, users, call } = await setUp({ plugins: [bearer()] });
		const body = { email: "operator@example.com", password: PASSWORD };
		const { token } = (await call("/sign-in/email", { body })).body;
		const headers = { authorization: `Bearer ${token}` };
		expect(ids(await call("/admin/list-users", { tenant: b, headers }))).toEqual([users.b]);
		expect((await call("/get-session", { tenant: b, headers })).body).toBeNull();
	});

	it("keeps the session when it is due for renewal", async () => {
		const { a, operator, visit, sessionOf, db } = await setUp();
		const soon = new Date(Date.now() + 60_000).toISOString();
		const mine = () => db.selectFrom("session").where("userId", "=", operator.id).selectAll();
		await db
			.updateTable("session")
			.set({ expiresAt: soon })
			.where("userId", "=", operator.id)
			.execute();
		expect((await visit("/list-users", a)).status).toBe(200);
		const renewed = (await mine().execute()).filter(({ expiresAt }) => expiresAt !== soon);
		expect(renewed.map(({ tenantId }) => tenantId)).toEqual([""]);
		expect((await sessionOf(operator.cookie)).user.id).toBe(operator.id);
	});

	it("is one by user id as well, within the permissions of the admin plugin", async () => {
		const adminUserIds: string[] = [];
		const { a, signUpOnPlatform, act } = await setUp({ tenants: { adminRoles: [], adminUserIds } });
		const { id, cookie } = await signUpOnPlatform("second@example.com", "user");
		expect((await act("/list-users", cookie, a)).status).toBe(401);
		adminUserIds.push(id);
		expect((await act("/list-users", cookie, a)).status).toBe(403);
	});
});

describe("somebody else who names a tenant at the admin plugin", () => {
	it("is a platform user who administers nothing: refused", async () => {
		const { a, signUpOnPlatform, act } = await setUp();
		const { cookie } = await signUpOnPlatform("user@example.com", "user");
		expect((await act("/list-users", cookie, a)).status).toBe(401);
		expect((await act("/list-users", "", a)).status).toBe(401);
	});

	it("is an administrator of the platform's users only, where the host names none for tenants", async () => {
		const { a, visit, act, operator } = await setUp({ tenants: { adminRoles: [] } });
		expect((await visit("/list-users", a)).status).toBe(401);
		expect((await act("/list-users", operator.cookie, undefined)).body.total).toBe(1);
	});

	it.each(stores)(
		"is an administrator of one tenant: acts in that one alone, with sessions %s",
		async (_, store) => {
			const app = await setUp(store());
			const { a, b, users, act, makeTenantsAdmin, operator } = app;
			const cookie = await makeTenantsAdmin();
			expect(ids(await act("/list-users", cookie, undefined))).toEqual([users.a]);
			expect(ids(await act("/list-users", cookie, a))).toEqual([users.a]);
			for (const [path, body] of attempts(app)) {
				const foreign = await act(path, cookie, b, body);
				expect([path, foreign.status]).toEqual([path, 401]);
				for (const tenant of [undefined, a]) {
					const own = await act(path, cookie, tenant, body);
					if (own.status === 200) expect(JSON.stringify(own.body), path).not.toContain(users.b);
				}
			}
			await expectUntouched(app);
			const userId = operator.id;
			await act("/revoke-user-sessions", cookie, a, { userId });
			expect((await act("/impersonate-user", cookie, a, { userId })).status).toBe(404);
			expect((await act("/list-users", operator.cookie, undefined)).status).toBe(200);
		},
	);

	it("is an administrator of one tenant: gives no user the id of another's", async () => {
		const app = await setUp();
		const { users, act, makeTenantsAdmin, operator } = app;
		const cookie = await makeTenantsAdmin();
		for (const id of [users.b, operator.id]) {
			const body = { email: "new@example.com", name: "New", data: { id } };
			expect((await act("/create-user", cookie, undefined, body)).status).toBe(422);
			const data = { id, name: "Renamed" };
			const changed = await act("/update-user", cookie, undefined, { userId: users.a, data });
			expect(changed.body).toMatchObject({ id: users.a, name: "Renamed" });
		}
		await expectUntouched(app);
	});

	it("impersonates in the own tenant and comes back", async () => {
		const { a, users, signUp, act, makeTenantsAdmin, sessionOf, call } = await setUp();
		const cookie = await makeTenantsAdmin();
		const other = await signUp(a, "other@example.com");
		const began = await act("/impersonate-user", cookie, undefined, { userId: other.body.user.id });
		expect((await sessionOf(began.cookie)).user.id).toBe(other.body.user.id);
		const ended = await call("/admin/stop-impersonating", { method: "POST", cookie: began.cookie });
		expect(ended.body.user.id).toBe(users.a);
	});
});
