import { apiKey } from "@better-auth/api-key";
import { admin, bearer } from "better-auth/plugins";
import { type ManagementAction, tenantAccess, tenantHosts } from "better-auth-tenant";
import { describe, expect, it } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { makeTarget, managedRoutes, type Target, validCall } from "../support/http/endpoint-calls";
import { expectRefusal } from "../support/http/refusal";
import { cheapPasswords } from "../support/worlds/cheap-passwords";
import {
	type Instance,
	type InstanceOptions,
	makeInstance,
	ORIGIN,
} from "../support/worlds/instance";
import { addPerson, makePeople } from "../support/worlds/people";
import { sessionStores } from "../support/worlds/session-stores";
import { someOf } from "../support/worlds/variations";
import { saveWorld, useWorld } from "../support/worlds/world";

/** What an owner and an admin may do by default. Everything else is the app's. */
const OWN: ManagementAction[] = [
	"tenant:get",
	"tenant:update",
	"policy:get",
	"policy:update",
	"oauth-config:register",
	"oauth-config:list",
	"oauth-config:update",
	"oauth-config:delete",
	"oauth-config:effective",
	"connection:test",
	"user:list",
	"user:get",
	"user:create",
	"user:update",
	"user:disable",
	"user:enable",
	"user:delete",
	"user:revoke-sessions",
	"user:send-password-reset",
	"user:remove-second-factor",
	"user:remove-passkeys",
	"invitation:create",
	"invitation:list",
	"invitation:resend",
	"invitation:revoke",
	"domain:add",
	"domain:list",
	"domain:verify",
	"domain:update",
	"domain:remove",
	"webhook:create",
	"webhook:list",
	"webhook:update",
	"webhook:rotate-secret",
	"webhook:test",
	"webhook:list-deliveries",
	"webhook:replay-delivery",
	"webhook:delete",
	"link-settings:get",
	"link-settings:update",
	"sign-in:list",
	"session:list",
	"session:revoke",
	"audit:list",
];

/** An admin has the action too, and the endpoint asks for an owner. */
const OWNERS_ONLY: ManagementAction[] = ["link-settings:update"];

/** What only your app may do, whatever role it declares. */
const APP: ManagementAction[] = [
	"tenant:create",
	"tenant:list",
	"tenant:delete",
	"tenant:suspend",
	"tenant:resume",
	"audit:erase",
	"user:sign-in-link",
	"user:import",
	"user:move",
];

const makeApp = (options: InstanceOptions = {}) =>
	makeInstance({
		emailAndPassword: { ...cheapPasswords, enabled: true, sendResetPassword: async () => {} },
		...options,
	});

/** The actions that a caller may do to a target. `/tenant/permissions` says the same. */
async function allowedActions(app: Instance, role: string | null, routes = managedRoutes) {
	const allowed: ManagementAction[] = [];
	const { target, cookie } = await makeTargetFor(app, role);
	const restore = saveWorld(app);
	const permissions = await app.call("/tenant/permissions", { cookie });
	const permitted = ofThePlugin(permissions.body.actions);
	const forOwners = permitted.filter((action) => OWNERS_ONLY.some((own) => own === action));
	for (const { name, path, action } of notEmpty(routes)) {
		const { status, body } = await app.call(path, { ...callAs(name, target), cookie });
		if (status === 200) {
			allowed.push(action);
			restore();
		} else {
			const code = forOwners.includes(action) ? "ROLE_NOT_ALLOWED" : REFUSED;
			expect([action, status, body.code]).toEqual([action, 403, code]);
		}
	}
	const usable = permitted.filter((action) => role === "owner" || !forOwners.includes(action));
	expect(usable.sort()).toEqual(allowed.sort());
	return allowed;
}

/** Without those of endpoints that an app adds. */
const ofThePlugin = (actions: string[]) =>
	actions.filter((action) => managedRoutes.some((route) => route.action === action));

async function makeTargetFor(app: Instance, role: string | null) {
	const target = await makeTarget(app);
	await app.db
		.updateTable("user")
		.set({ tenantRole: null })
		.where("id", "=", target.userId)
		.execute();
	const { cookie } = await addPerson(app, target.tenantId, role);
	return { target, cookie };
}

const REFUSED = "TENANT_MANAGEMENT_NOT_ALLOWED";

/** Only the app can declare an email verified. */
function callAs(name: (typeof managedRoutes)[number]["name"], target: Target) {
	const call = validCall(name, target);
	return name === "createTenantUser" ? { body: { ...call.body, emailVerified: false } } : call;
}

describe("a role permits", () => {
	it.each(["owner", "admin"])(
		"%s: to manage the own tenant, and nothing of the app",
		async (role) => {
			const own = OWN.filter((action) => role === "owner" || !OWNERS_ONLY.includes(action));
			expect(await allowedActions(await makeApp(), role)).toEqual(own.sort());
		},
	);

	const unknown = [null, "", "member", "Owner", "owner ", "constructor", "__proto__", "removed"];
	it.each(unknown.map((role, turn) => [role, turn] as const))("%j: nothing", async (role, turn) => {
		const routes = someOf(managedRoutes, 15, turn);
		expect(await allowedActions(await makeApp(), role, routes)).toEqual([]);
	});

	it("every action to somebody, and this test names all of them", () => {
		const named = [...OWN, ...APP, "user:impersonate"].sort();
		expect(named).toEqual(managedRoutes.map(({ action }) => action).sort());
	});

	it("what the app declares", async () => {
		const app = await makeApp({
			tenants: {
				roles: {
					support: tenantAccess.newRole({ user: ["list", "get"], session: ["list"] }),
					member: tenantAccess.newRole({ user: ["list"] }),
					admin: tenantAccess.newRole({ tenant: ["get"], user: ["list", "impersonate"] }),
				},
			},
		});
		expect(await allowedActions(app, "support")).toEqual(["session:list", "user:get", "user:list"]);
		expect(await allowedActions(app, null)).toEqual(["user:list"]);
		const ofAdmins = ["tenant:get", "user:impersonate", "user:list"];
		expect(await allowedActions(app, "admin")).toEqual(ofAdmins);
		expect(await allowedActions(app, "owner")).toEqual([...OWN, "user:impersonate"].sort());
	});
});

describe("the option roles stops the start", () => {
	const newRole = (statements: Record<string, string[]>) => ({ statements });

	it.each([
		["for the owner", { owner: newRole({ user: ["list"] }) }, /owner/],
		["for a name that is not one", { "a role": newRole({}) }, /a role/],
		["for an empty name", { "": newRole({}) }, /name/],
		["for an action of the app", { boss: newRole({ tenant: ["delete"] }) }, /tenant:delete/],
		["for an unknown action", { boss: newRole({ user: ["fly"] }) }, /user:fly/],
		["for an unknown resource", { boss: newRole({ rocket: ["fly"] }) }, /rocket:fly/],
		["for what is not a role", { boss: ["user:list"] as never }, /tenantAccess/],
		["for nothing", { boss: undefined as never }, /tenantAccess/],
	])("%s", async (_, roles, message) => {
		const { auth } = await makeInstance({ tenants: { roles } });
		await expect(auth.$context).rejects.toThrow(message);
	});
});

describe("a user who manages by their role", () => {
	it("does not have to name the own tenant", async () => {
		const { call, owner, otherTenantId, tenantId } = await makePeople();
		const list = await call("/tenant/user/list", { cookie: owner.cookie });
		expect(list.body).toHaveLength(3);
		const named = { cookie: owner.cookie, query: { tenantId } };
		expect((await call("/tenant/user/list", named)).body).toHaveLength(3);
		expect((await call("/tenant/user/list", { ...named, tenant: otherTenantId })).status).toBe(200);
		const other = { cookie: owner.cookie, tenant: otherTenantId };
		expectRefusal(await call("/tenant/user/list", other), 403, REFUSED);
	});

	it("does not get its own tenant for a slug that nobody has", async () => {
		const { call, owner } = await makePeople();
		const { cookie } = owner;
		const unknown = await call("/tenant/get", { cookie, query: { slug: "nobody" } });
		expectRefusal(unknown, 403, REFUSED);
	});

	it("is in the audit log", async () => {
		const { call, manage, owner, member, tenantId } = await makePeople();
		const body = { userId: member.id, name: "Renamed" };
		await call("/tenant/user/update", { body, cookie: owner.cookie });
		const events = await manage("/tenant/audit/list", { query: { action: "user:update" } });
		expect(events.body).toMatchObject([
			{ tenantId, actor: { kind: "member", id: owner.id }, targetId: member.id },
		]);
	});

	it("keeps the session when refused", async () => {
		const { call, owner, otherTenantId } = await makePeople();
		const query = { tenantId: otherTenantId };
		const { cookie } = await call("/tenant/user/list", { cookie: owner.cookie, query });
		expect(cookie).toBe("");
		const session = await call("/get-session", { cookie: owner.cookie });
		expect(session.body.user.id).toBe(owner.id);
	});

	it("may send the session as a bearer token", async () => {
		const { call, owner } = await makePeople({ plugins: [bearer()] });
		const headers = { authorization: `Bearer ${owner.token}` };
		expect((await call("/tenant/user/list", { headers })).status).toBe(200);
	});

	it("may come through server code that passes the headers of the request", async () => {
		const { auth, owner, member, otherTenantId } = await makePeople();
		const headers = new Headers({ cookie: owner.cookie });
		expect(await auth.api.listTenantUsers({ headers })).toHaveLength(3);
		const query = { tenantId: otherTenantId };
		const refusal = { body: { code: REFUSED } };
		await expect(auth.api.listTenantUsers({ headers, query })).rejects.toMatchObject(refusal);
		const plain = new Headers({ cookie: member.cookie });
		await expect(auth.api.listTenantUsers({ headers: plain })).rejects.toMatchObject(refusal);
	});

	it("is at home at the host of the tenant, and at no other", async () => {
		const hosts = tenantHosts({ domain: "example.com" });
		const app = await makeInstance({ tenants: { hosts } });
		const list = (slug: string, cookie: string) =>
			app.call(`https://${slug}.example.com/api/auth/tenant/user/list`, { cookie });
		const made = async (slug: string) => {
			const { id } = await app.auth.api.createTenant({ body: { name: slug, slug } });
			const signUp = await app.call(`https://${slug}.example.com/api/auth/sign-up/email`, {
				body: { name: "Ada", email: "ada@example.com", password: "correct horse battery" },
				headers: { origin: `https://${slug}.example.com` },
			});
			return { id, cookie: signUp.cookie };
		};
		const [acme, globex] = [await made("acme"), await made("globex")];
		await app.db.updateTable("user").set({ tenantRole: "owner" }).execute();
		expect((await list("acme", acme.cookie)).body).toMatchObject([{ tenantId: acme.id }]);
		expectRefusal(await list("globex", acme.cookie), 403, REFUSED);
		expect((await list("globex", globex.cookie)).status).toBe(200);
	});

	it("is asked for before canManageTenants, which still decides about everything else", async () => {
		const asked: ManagementAction[] = [];
		const { call, owner, member, tenantId, otherTenantId } = await makePeople({
			tenants: { canManageTenants: (_, { action }) => asked.push(action) > 0 },
		});
		const list = (cookie: string, of: string) =>
			call("/tenant/user/list", { cookie, query: { tenantId: of } });
		expect((await list(owner.cookie, tenantId)).status).toBe(200);
		expect(asked).toEqual([]);
		expect((await list(owner.cookie, otherTenantId)).status).toBe(200);
		expect((await list(member.cookie, tenantId)).status).toBe(200);
		expect(asked).toEqual(["user:list", "user:list"]);
	});

	it("manages nothing in a suspended tenant, and again when it is resumed", async () => {
		const { call, manage, owner, tenantId } = await makePeople();
		const list = () => call("/tenant/user/list", { cookie: owner.cookie, query: { tenantId } });
		await manage("/tenant/suspend", { body: { tenantId } });
		expectRefusal(await list(), 403, REFUSED);
		await manage("/tenant/resume", { body: { tenantId } });
		expect((await list()).status).toBe(200);
	});

	it("manages nothing on the platform, with a role there", async () => {
		const { call, db } = await makePeople();
		const body = { name: "Root", email: "root@example.com", password: "correct horse battery" };
		const { cookie } = await call("/sign-up/email", { body });
		await db.updateTable("user").set({ tenantRole: "owner" }).execute();
		expectRefusal(await call("/tenant/user/list", { cookie }), 403, REFUSED);
		expectRefusal(await call("/tenant/list", { cookie }), 403, REFUSED);
	});

	it("cannot do it while impersonated through the admin plugin", async () => {
		const { call, db, owner } = await makePeople({ plugins: [admin()] });
		await db.updateTable("session").set({ impersonatedBy: "somebody" }).execute();
		expectRefusal(await call("/tenant/user/list", { cookie: owner.cookie }), 403, REFUSED);
	});

	it("cannot do it with an API key, which is not a session", async () => {
		const { call, auth, owner, tenantId } = await makePeople({
			plugins: [apiKey({ enableSessionForAPIKeys: true })],
		});
		const { body } = await call("/api-key/create", { body: {}, cookie: owner.cookie });
		const headers = { "x-api-key": body.key };
		expect((await call("/get-session", { headers })).body.user.id).toBe(owner.id);
		const answer = await call("/tenant/user/list", { headers, query: { tenantId } });
		expect([answer.status, answer.body.code]).toEqual([401, REFUSED]);
		expect(auth).toBeDefined();
	});

	describe.each(sessionStores)("with sessions %s", (_, store) => {
		it("loses the rights with the role, and when disabled or signed out", async () => {
			const { call, manage, db, owner, admin, tenantId } = await makePeople(store());
			const { cookie } = admin;
			const list = () => call("/tenant/user/list", { cookie, query: { tenantId } });
			expect((await list()).status).toBe(200);
			const set = (changes: object) =>
				db.updateTable("user").set(changes).where("id", "=", admin.id).execute();
			await set({ tenantRole: "member" });
			expectRefusal(await list(), 403, REFUSED);
			await set({ tenantRole: "admin", disabledAt: new Date().toISOString() });
			expect((await list()).status).toBeGreaterThanOrEqual(401);
			await set({ disabledAt: null });
			expect((await list()).status).toBe(200);
			const body = { tenantId, userId: admin.id };
			await call("/tenant/user/revoke-sessions", { body, cookie: owner.cookie });
			expect((await list()).status).toBeGreaterThanOrEqual(401);
			expect((await manage("/tenant/user/list", { query: { tenantId } })).status).toBe(200);
		});
	});
});

describe("a request of another site with the cookie of an owner", () => {
	const world = useWorld(async () => {
		const app = await makeApp({ tenants: { roles: { agent } } });
		const target = await makeTarget(app);
		return { ...app, target, owner: await addPerson(app, target.tenantId, "owner") };
	});

	it.each(managedRoutes.filter(({ method }) => method === "POST"))(
		"is refused at $path",
		async ({ name, path }) => {
			const { target, owner, ...app } = world();
			const { cookie } = owner;
			const count = () => app.db.selectFrom("tenantAuditEvent").selectAll().execute();
			const before = (await count()).length;
			const foreign = [{ origin: "https://evil.example" }, { origin: "null" }, { origin: "" }];
			for (const headers of notEmpty(foreign)) {
				const { status, body } = await app.call(path, { ...callAs(name, target), cookie, headers });
				expect([status, body.code]).not.toEqual([200, undefined]);
				expect(body.code).not.toBe(REFUSED);
				expect(status).toBe(403);
			}
			expect(await count()).toHaveLength(before);
			const own = { ...callAs(name, target), cookie, headers: { origin: ORIGIN } };
			const { status, body } = await app.call(path, own);
			const action = managedRoutes.find((route) => route.name === name)?.action;
			if (action && APP.includes(action)) expect(body.code).toBe(REFUSED);
			else expect(status).toBe(200);
		},
	);
});

const agent = tenantAccess.newRole({ user: ["impersonate"] });
