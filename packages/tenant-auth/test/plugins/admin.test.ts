import { createAuthMiddleware } from "better-auth/api";
import { admin, bearer } from "better-auth/plugins";
import { describe, expect, it } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { type Answer, EMAIL, type InstanceOptions, PASSWORD } from "../support/worlds/instance";
import { sessionStores } from "../support/worlds/session-stores";
import { makeTwoUsers, orders } from "../support/worlds/two-tenants";
import { describeVariations } from "../support/worlds/variations";
import { useWorld } from "../support/worlds/world";

/** Session stores that find a session with the scoped adapter, or without it. */
const stores = sessionStores.filter(([name]) => !/JWT|encrypted|refreshed/.test(name));

/** Newer versions of the admin plugin reject a new id, older ones ignore it. */
const rejectsIds = "USER_ID_CANNOT_BE_UPDATED" in admin().$ERROR_CODES;

/** A platform admin, and two tenants whose users have the same email. */
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
		// A new session, because sessions outside the database keep the old role.
		const signedIn = await call("/sign-in/email", { body: { email, password: PASSWORD } });
		return { id: answer.user.id as string, cookie: signedIn.cookie };
	}
	const operator = await signUpOnPlatform("operator@example.com", "admin");
	const users = { a: String(ada.body.user.id), b: String(bob.body.user.id) };
	/** Makes the user of A an admin of A. */
	async function makeTenantAdmin() {
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
		makeTenantAdmin,
	};
}

type App = Awaited<ReturnType<typeof setUp>>;

const emails = ({ body }: Answer) => body.users.map(({ email }: { email: string }) => email);
const ids = ({ body }: Answer) => body.users?.map(({ id }: { id: string }) => id);

/** Calls of all endpoints that take a user or a session, with those of B. */
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

/** Expects that nobody changed the user of B. */
async function expectUnchanged(app: App) {
	const { db, users, sessionOf, bob, signIn, b } = app;
	const row = await db.selectFrom("user").selectAll().where("id", "=", users.b).executeTakeFirst();
	expect(row).toMatchObject({ name: "User", email: EMAIL, tenantId: b });
	expect([row?.role, row?.banned || 0]).toEqual(["user", 0]);
	expect((await sessionOf(bob.cookie))?.user.id).toBe(users.b);
	expect((await signIn(b)).status).toBe(200);
}

describe("a platform admin who names a tenant", () => {
	const world = useWorld(() => setUp());

	it.each(orders)(
		"lists, searches, filters and sorts only its users, plugin %s",
		async (_, order) => {
			const { a, b, users, signUp, visit, act, operator } = await setUp(order());
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

	it("creates, reads, changes and deletes a user of it", async () => {
		const { a, b, visit, signIn } = world();
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
		const { email } = body;
		const withNewPassword = { email, password: newPassword };
		expect((await signIn(a, withNewPassword)).status).toBe(200);
		expect((await signIn(b, withNewPassword)).status).toBe(401);
		expect((await visit("/remove-user", a, { userId })).status).toBe(200);
		expect((await signIn(a, withNewPassword)).status).toBe(401);
		expect((await signIn(b, { email })).status).toBe(200);
	});

	it("stays in the tenant until an impersonation has ended, and also finds the own user", async () => {
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

	it("runs hooks that change sessions of the tenant only", async () => {
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
		const app = world();
		const { a, visit, operator, db } = app;
		for (const [path, body] of notEmpty(attempts(app))) {
			const { status, body: answer } = await visit(path, a, body);
			if (status === 200) expect(JSON.stringify(answer), path).not.toContain(app.users.b);
		}
		await expectUnchanged(app);
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

	it("is accepted there only by endpoints of the admin plugin", async () => {
		const { a, operator, call, sessionOf } = world();
		expect(await sessionOf(operator.cookie, a)).toBeNull();
		for (const path of ["/list-sessions", "/list-accounts"]) {
			expect((await call(path, { cookie: operator.cookie, tenant: a })).status).toBe(401);
		}
		const body = { name: "Renamed" };
		const update = await call("/update-user", { cookie: operator.cookie, tenant: a, body });
		expect(update.status).toBe(401);
	});

	it("may use a bearer token instead of a cookie", async () => {
		const { b, users, call } = await setUp({ plugins: [bearer()] });
		const body = { email: "operator@example.com", password: PASSWORD };
		const { token } = (await call("/sign-in/email", { body })).body;
		const headers = { authorization: `Bearer ${token}` };
		expect(ids(await call("/admin/list-users", { tenant: b, headers }))).toEqual([users.b]);
		expect((await call("/get-session", { tenant: b, headers })).body).toBeNull();
	});

	it("keeps the own session if it is renewed in a tenant", async () => {
		const { a, operator, visit, sessionOf, db } = world();
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

	it("may be named by user id, and still needs the permissions of the admin plugin", async () => {
		const adminUserIds: string[] = [];
		const { a, signUpOnPlatform, act } = await setUp({ tenants: { adminRoles: [], adminUserIds } });
		const { id, cookie } = await signUpOnPlatform("second@example.com", "user");
		expect((await act("/list-users", cookie, a)).status).toBe(401);
		adminUserIds.push(id);
		expect((await act("/list-users", cookie, a)).status).toBe(403);
	});
});

describe("another caller who names a tenant at the admin plugin", () => {
	const world = useWorld(() => setUp());

	it("is rejected as a platform user without a role", async () => {
		const { a, signUpOnPlatform, act } = world();
		const { cookie } = await signUpOnPlatform("user@example.com", "user");
		expect((await act("/list-users", cookie, a)).status).toBe(401);
		expect((await act("/list-users", "", a)).status).toBe(401);
	});

	it("manages only the platform as an admin if adminRoles is empty", async () => {
		const { a, visit, act, operator } = await setUp({ tenants: { adminRoles: [] } });
		expect((await visit("/list-users", a)).status).toBe(401);
		expect((await act("/list-users", operator.cookie, undefined)).body.total).toBe(1);
	});

	it("cannot give a user the id of another one as an admin of one tenant", async () => {
		const app = world();
		const { users, act, makeTenantAdmin, operator } = app;
		const cookie = await makeTenantAdmin();
		for (const id of [users.b, operator.id]) {
			const body = { email: "new@example.com", name: "New", data: { id } };
			expect((await act("/create-user", cookie, undefined, body)).status).toBe(422);
			const data = { id, name: "Renamed" };
			const changed = await act("/update-user", cookie, undefined, { userId: users.a, data });
			expect(changed.body).toMatchObject(
				rejectsIds ? { code: "USER_ID_CANNOT_BE_UPDATED" } : { id: users.a, name: "Renamed" },
			);
		}
		await expectUnchanged(app);
	});

	it("impersonates in the own tenant as its admin, and comes back", async () => {
		const { a, users, signUp, act, makeTenantAdmin, sessionOf, call } = world();
		const cookie = await makeTenantAdmin();
		const other = await signUp(a, "other@example.com");
		const began = await act("/impersonate-user", cookie, undefined, { userId: other.body.user.id });
		expect((await sessionOf(began.cookie)).user.id).toBe(other.body.user.id);
		const ended = await call("/admin/stop-impersonating", { method: "POST", cookie: began.cookie });
		expect(ended.body.user.id).toBe(users.a);
	});
});

describeVariations("an admin in a tenant, with sessions %s,", stores, (store, it) => {
	const world = useWorld(() => setUp(store()));

	it("bans and unbans users", async () => {
		const app = world();
		const { a, users, visit, signIn, sessionOf, ada } = app;
		const banned = await visit("/ban-user", a, { userId: users.a });
		expect(banned.body.user).toMatchObject({ id: users.a, banned: true });
		const query = "disableCookieCache=true";
		expect((await app.call(`/get-session?${query}`, { cookie: ada.cookie })).body).toBeNull();
		expect((await signIn(a)).body.code).toBe("BANNED_USER");
		await expectUnchanged(app);
		expect((await visit("/unban-user", a, { userId: users.a })).status).toBe(200);
		expect((await sessionOf((await signIn(a)).cookie)).user.id).toBe(users.a);
	});

	it("lists and revokes sessions", async () => {
		const app = world();
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
		await expectUnchanged(app);
	});

	it("impersonates a user and comes back", async () => {
		const { a, b, users, visit, call, operator, sessionOf } = world();
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

	it("works only in the own tenant as an admin of that tenant", async () => {
		const app = world();
		const { a, b, users, act, makeTenantAdmin, operator } = app;
		const cookie = await makeTenantAdmin();
		expect(ids(await act("/list-users", cookie, undefined))).toEqual([users.a]);
		expect(ids(await act("/list-users", cookie, a))).toEqual([users.a]);
		for (const [path, body] of notEmpty(attempts(app))) {
			const foreign = await act(path, cookie, b, body);
			expect([path, foreign.status]).toEqual([path, 401]);
			for (const tenant of [undefined, a]) {
				const own = await act(path, cookie, tenant, body);
				if (own.status === 200) expect(JSON.stringify(own.body), path).not.toContain(users.b);
			}
		}
		await expectUnchanged(app);
		const userId = operator.id;
		await act("/revoke-user-sessions", cookie, a, { userId });
		expect((await act("/impersonate-user", cookie, a, { userId })).status).toBe(404);
		expect((await act("/list-users", operator.cookie, undefined)).status).toBe(200);
	});
});
