import { getSessionFromCtx } from "better-auth/api";
import { admin, bearer } from "better-auth/plugins";
import { type ManagementAction, tenantAuth } from "better-auth-tenant";
import { describe, expect, it } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { makeTarget, managedRoutes, type Target, validCall } from "../support/http/endpoint-calls";
import { cheapPasswords } from "../support/worlds/cheap-passwords";
import {
	type Instance,
	type InstanceOptions,
	MANAGEMENT_KEY,
	makeInstance,
} from "../support/worlds/instance";

type Tenants = NonNullable<InstanceOptions["tenants"]>;
type Call = Parameters<Instance["call"]>[1];

const nobody: Tenants = { managementKeys: [] };
const password = "correct horse battery";
const uniqueSlug = () => `slug-${Math.random().toString(36).slice(2, 12)}`;
const client = { providerId: "github", clientId: "id", clientSecret: "secret" } as const;

const actions = managedRoutes.map(({ action }) => action);

/** Every action succeeds in it, if the caller may manage. */
const makeApp = (options: InstanceOptions) =>
	makeInstance({
		emailAndPassword: { ...cheapPasswords, enabled: true, sendResetPassword: async () => {} },
		...options,
	});

async function makeTenantIn({ auth }: Instance) {
	const { id } = await auth.api.createTenant({ body: { name: "Tenant", slug: uniqueSlug() } });
	return id;
}

async function signUpPlatformUser({ call }: Instance, email = "root@example.com") {
	const { body, cookie } = await call("/sign-up/email", {
		body: { name: "Root", email, password },
	});
	return { id: body.user.id as string, token: body.token as string, cookie };
}

async function callAll(instance: Instance, target: Target, presenting: Call) {
	const answers: [ManagementAction, number, string | undefined][] = [];
	for (const { name, path, action } of managedRoutes) {
		const call = validCall(name, target);
		const { status, body } = await instance.call(path, { ...call, ...presenting });
		answers.push([action, status, body?.code]);
	}
	return answers;
}

const rejectedWith = (status: number) =>
	actions.map((action) => [action, status, "TENANT_MANAGEMENT_NOT_ALLOWED"]);
/** Whoever manages one tenant only must not take users of the platform. */
const OF_NO_TENANT: string[] = ["tenant:create", "tenant:list", "user:move"];
const allowed = actions.map((action) => [action, 200, undefined]);
/** A sign-in link is for the app only, whatever `canManageTenants` says. */
const allowedByHost = allowed.map((answer) =>
	answer[0] === "user:sign-in-link" ? [answer[0], 403, "TENANT_MANAGEMENT_NOT_ALLOWED"] : answer,
);

function countRows({ database }: Instance) {
	return ["tenant", "tenantOauthConfig", "user", "session"].map(
		(table) => (database.prepare(`select count(*) as n from "${table}"`).get() as { n: number }).n,
	);
}

describe("management by default", () => {
	it("is rejected with 401 without credentials", async () => {
		const instance = await makeApp({ tenants: nobody });
		const target = await makeTarget(instance);
		const before = countRows(instance);
		expect(await callAll(instance, target, {})).toEqual(rejectedWith(401));
		expect(await callAll(instance, target, { tenant: target.tenantId })).toEqual(rejectedWith(401));
		expect(countRows(instance)).toEqual(before);
	});

	it("is rejected with 403 for a key, because none is configured", async () => {
		const instance = await makeApp({ tenants: nobody });
		const target = await makeTarget(instance);
		for (const authorization of [`Bearer ${MANAGEMENT_KEY}`, "Bearer ", "Bearer undefined"]) {
			const refused = await callAll(instance, target, { headers: { authorization } });
			expect(refused).toEqual(rejectedWith(403));
		}
	});

	it("is rejected for a signed-in platform user", async () => {
		const instance = await makeApp({ tenants: nobody });
		const target = await makeTarget(instance);
		const { cookie } = await signUpPlatformUser(instance);
		const before = countRows(instance);
		expect(await callAll(instance, target, { cookie })).toEqual(rejectedWith(403));
		expect(countRows(instance)).toEqual(before);
	});

	it("is rejected for a user of the tenant", async () => {
		const instance = await makeInstance({ tenants: nobody });
		const target = await makeTarget(instance);
		const { cookie } = await instance.signUp(target.tenantId, "ada@example.com");
		expect(await callAll(instance, target, { cookie })).toEqual(rejectedWith(403));
		expect(await callAll(instance, target, { cookie, tenant: target.tenantId })).toEqual(
			rejectedWith(403),
		);
	});

	it("does not reveal whether a tenant exists", async () => {
		const instance = await makeInstance({ tenants: nobody });
		const ids = { tenantId: "nobody", userId: "nobody", sessionId: "none", platformUserId: "x" };
		const invitation = { invitationId: "none", invitationToken: "none" };
		const hooks = { webhookId: "none", deliveryId: "none", domainId: "none" };
		const target = { ...ids, ...invitation, ...hooks, email: "", cookie: "" };
		expect(await callAll(instance, target, {})).toEqual(rejectedWith(401));
		const slug = await instance.call("/tenant/get", { query: { slug: "nobody" } });
		expect([slug.status, slug.body.code]).toEqual([401, "TENANT_MANAGEMENT_NOT_ALLOWED"]);
	});
});

describe("a management key", () => {
	it("manages everything", async () => {
		const instance = await makeApp({
			tenants: { managementKeys: ["x".repeat(16), "another-key-of-many"] },
		});
		const target = await makeTarget(instance);
		const headers = { authorization: `bearer ${"x".repeat(16)}` };
		expect(await callAll(instance, target, { headers })).toEqual(allowed);
	});

	it("counts only as it is, and only as a bearer token", async () => {
		const instance = await makeInstance();
		const target = await makeTarget(instance);
		const wrong = [
			`Bearer ${MANAGEMENT_KEY}x`,
			`Bearer ${MANAGEMENT_KEY.slice(0, -1)}`,
			`Bearer ${MANAGEMENT_KEY.toUpperCase()}`,
			`Bearer ${MANAGEMENT_KEY} ${MANAGEMENT_KEY}`,
			`Basic ${MANAGEMENT_KEY}`,
			MANAGEMENT_KEY,
		];
		for (const authorization of notEmpty(wrong)) {
			const { status } = await instance.call("/tenant/list", { headers: { authorization } });
			expect(status).toBe(403);
		}
		const query = { authorization: `Bearer ${MANAGEMENT_KEY}`, key: MANAGEMENT_KEY };
		expect((await instance.call("/tenant/list", { query })).status).toBe(400);
		expect(await callAll(instance, target, { headers: { "x-key": MANAGEMENT_KEY } })).toEqual(
			rejectedWith(401),
		);
	});

	it("stops the start when it is empty", () => {
		expect(() => tenantAuth({ managementKeys: [""] })).toThrow(
			"managementKeys[0] is empty. Is its environment variable set?",
		);
	});

	it("stops the start when it is an environment variable that is not set", () => {
		const unset = process.env.NO_SUCH_VARIABLE as string;
		expect(() => tenantAuth({ managementKeys: [unset] })).toThrow(
			"managementKeys[0] is undefined. Is its environment variable set?",
		);
	});

	it.each(["a key with spaces in it", "schlüssel-zur-verwaltung", "key-with-a-newline\n"])(
		"stops the start when no header could carry it: %j",
		(key) => {
			expect(() => tenantAuth({ managementKeys: [key] })).toThrow("managementKeys[0] has spaces");
		},
	);
});

describe("a platform admin", () => {
	it("manages everything if adminUserIds has the user", async () => {
		const adminUserIds: string[] = [];
		const instance = await makeApp({ tenants: { ...nobody, adminUserIds } });
		const { id, cookie } = await signUpPlatformUser(instance);
		const other = await signUpPlatformUser(instance, "other@example.com");
		adminUserIds.push(id);
		const target = await makeTarget(instance);
		expect(await callAll(instance, target, { cookie: other.cookie })).toEqual(rejectedWith(403));
		expect(await callAll(instance, target, { cookie })).toEqual(allowed);
	});

	it("keeps the session while managing another tenant", async () => {
		const adminUserIds: string[] = [];
		const instance = await makeInstance({ tenants: { ...nobody, adminUserIds } });
		const { id, cookie } = await signUpPlatformUser(instance);
		adminUserIds.push(id);
		const tenant = await makeTenantIn(instance);
		const answer = await instance.call("/tenant/oauth-config/register", {
			body: client,
			tenant,
			cookie,
		});
		expect(answer.body).toMatchObject({ tenantId: tenant, providerId: "github" });
		expect(answer.cookie).toBe("");
		const session = await instance.call("/get-session", { cookie });
		expect(session.body.user.id).toBe(id);
	});

	it("may send the session as a bearer token", async () => {
		const adminUserIds: string[] = [];
		const instance = await makeInstance({
			plugins: [bearer()],
			tenants: { ...nobody, adminUserIds },
		});
		const { id, token } = await signUpPlatformUser(instance);
		const headers = { authorization: `Bearer ${token}` };
		expect((await instance.call("/tenant/list", { headers })).status).toBe(403);
		adminUserIds.push(id);
		expect((await instance.call("/tenant/list", { headers })).status).toBe(200);
	});

	it("manages everything with a role of adminRoles, also if it is one of several", async () => {
		const instance = await makeApp({
			plugins: [admin()],
			tenants: { ...nobody, adminRoles: ["operator"] },
		});
		const { id, cookie } = await signUpPlatformUser(instance);
		const target = await makeTarget(instance);
		const setRole = (role: string) =>
			instance.database.prepare(`update "user" set role = ? where id = ?`).run(role, id);
		for (const role of ["user", "admin", "operators", "not operator"]) {
			setRole(role);
			expect((await instance.call("/tenant/list", { cookie })).status).toBe(403);
		}
		setRole("user, operator");
		expect(await callAll(instance, target, { cookie })).toEqual(allowed);
	});

	it("is never a user of a tenant, even with such an id or role", async () => {
		const adminUserIds: string[] = [];
		const instance = await makeApp({
			plugins: [admin()],
			tenants: { ...nobody, adminUserIds, adminRoles: ["admin"] },
		});
		const target = await makeTarget(instance);
		const { body, cookie } = await instance.signUp(target.tenantId, "ada@example.com");
		adminUserIds.push(body.user.id);
		instance.database.prepare(`update "user" set role = 'admin'`).run();
		const before = countRows(instance);
		expect(await callAll(instance, target, { cookie })).toEqual(rejectedWith(403));
		expect(await callAll(instance, target, { cookie, tenant: target.tenantId })).toEqual(
			rejectedWith(403),
		);
		expect(countRows(instance)).toEqual(before);
	});

	it("manages nothing with a revoked session that is still in the cookie cache", async () => {
		const adminUserIds: string[] = [];
		const instance = await makeInstance({
			session: { cookieCache: { enabled: true } },
			tenants: { ...nobody, adminUserIds },
		});
		const { id, cookie } = await signUpPlatformUser(instance);
		adminUserIds.push(id);
		expect((await instance.call("/tenant/list", { cookie })).status).toBe(200);
		instance.database.prepare("delete from session").run();
		expect((await instance.call("/get-session", { cookie })).body?.user?.id).toBe(id);
		expect((await instance.call("/tenant/list", { cookie })).status).toBe(403);
	});

	it("manages nothing with a session cookie that was not signed here", async () => {
		const adminUserIds: string[] = [];
		const instance = await makeInstance({ tenants: { ...nobody, adminUserIds } });
		const { id, token } = await signUpPlatformUser(instance);
		adminUserIds.push(id);
		for (const value of [token, `${token}.`, `${token}.${"A".repeat(43)}=`]) {
			const cookie = `better-auth.session_token=${encodeURIComponent(value)}`;
			expect((await instance.call("/tenant/list", { cookie })).status).toBe(403);
		}
	});
});

describe("canManageTenants", () => {
	async function withPolicy(allows: (tenantId: string | null) => unknown) {
		const asked: { action: ManagementAction; tenantId: string | null }[] = [];
		const instance = await makeApp({
			tenants: {
				...nobody,
				canManageTenants: async (_, request) => {
					asked.push(request);
					return (await allows(request.tenantId)) as boolean;
				},
			},
		});
		return { ...instance, asked };
	}

	it("gets the action and the id of the tenant", async () => {
		const instance = await withPolicy(() => true);
		const target = await makeTarget(instance);
		instance.asked.length = 0;
		expect(await callAll(instance, target, {})).toEqual(allowedByHost);
		expect(instance.asked).toEqual(
			actions.map((action) => ({
				action,
				tenantId: OF_NO_TENANT.includes(action) ? null : target.tenantId,
			})),
		);
	});

	it("gets null for the events of all tenants", async () => {
		const { call, asked } = await withPolicy(() => true);
		expect((await call("/tenant/audit/list")).status).toBe(200);
		expect(asked).toEqual([{ action: "audit:list", tenantId: null }]);
	});

	it("gets the tenant that has the slug", async () => {
		const { call, auth, asked } = await withPolicy(() => true);
		const { id, slug } = await auth.api.createTenant({ body: { name: "A", slug: uniqueSlug() } });
		expect((await call("/tenant/get", { query: { slug } })).body.id).toBe(id);
		expect((await call("/tenant/get", { query: { slug: "nobody" } })).status).toBe(404);
		expect(asked.map(({ tenantId }) => tenantId)).toEqual([id, null]);
	});

	it("gets the tenant of the first source that names one", async () => {
		const resolved: { tenantId?: string } = {};
		const asked: (string | null)[] = [];
		const instance = await makeInstance({
			tenants: {
				...nobody,
				resolveTenantId: () => resolved.tenantId,
				canManageTenants: (_, { tenantId }) => asked.push(tenantId) > 0,
			},
		});
		const { call } = instance;
		const [a, b, c, d] = [
			await makeTenantIn(instance),
			await makeTenantIn(instance),
			await makeTenantIn(instance),
			await makeTenantIn(instance),
		];
		const register = (tenantId: string | undefined, query: Record<string, string>) =>
			call("/tenant/oauth-config/register", { body: { tenantId, ...client }, query, tenant: d });
		const owners = [
			await register(undefined, {}),
			await register(undefined, { tenantId: c }),
			await register(b, { tenantId: c }),
		];
		resolved.tenantId = a;
		owners.push(await register(b, { tenantId: c }));
		expect(owners.map(({ body }) => body.tenantId)).toEqual([d, c, b, a]);
		expect(asked).toEqual([d, c, b, a]);
	});

	it("is never asked about A while the body names B", async () => {
		const allowedTenant: { id?: string } = {};
		const instance = await withPolicy((tenantId) => tenantId === allowedTenant.id);
		const [a, b] = [await makeTenantIn(instance), await makeTarget(instance)];
		allowedTenant.id = a;
		const before = countRows(instance);
		const naming = { query: { tenantId: a }, tenant: a };
		for (const { name, path, action } of notEmpty(managedRoutes)) {
			if (action === "tenant:create" || action === "tenant:list") continue;
			const call = validCall(name, b);
			// A GET has no body: there the query is the first source, and it names B already.
			const query = { ...naming.query, ...call.query };
			const { status, body } = await instance.call(path, { ...call, ...naming, query });
			expect([action, status, body.code]).toEqual([action, 401, "TENANT_MANAGEMENT_NOT_ALLOWED"]);
		}
		expect(countRows(instance)).toEqual(before);
	});

	it("is asked about A, and the call changes A, while a later source names B", async () => {
		const allowedTenant: { id?: string } = {};
		const instance = await withPolicy((tenantId) => tenantId === allowedTenant.id);
		const [a, b] = [await makeTenantIn(instance), await makeTenantIn(instance)];
		allowedTenant.id = a;
		const { body } = await instance.call("/tenant/oauth-config/register", {
			body: { tenantId: a, ...client },
			query: { tenantId: b },
			tenant: b,
		});
		expect(body.tenantId).toBe(a);
		const updated = await instance.call("/tenant/update", {
			body: { tenantId: a, name: "Changed" },
			query: { tenantId: b },
			tenant: b,
		});
		expect(updated.body).toMatchObject({ id: a, name: "Changed" });
		expect(await instance.auth.api.listTenantOAuthConfigs({ query: { tenantId: b } })).toEqual([]);
	});

	it.each(["yes", 1, {}, undefined, null, false])(
		"rejects the call if it returns %j",
		async (answer) => {
			const instance = await withPolicy(() => answer);
			expect((await instance.call("/tenant/list")).status).toBe(401);
		},
	);

	it("rejects the call if it throws", async () => {
		const instance = await withPolicy(() => Promise.reject(new Error("policy service is down")));
		const before = countRows(instance);
		const { status, body } = await instance.call("/tenant/create", {
			body: { name: "New", slug: uniqueSlug() },
		});
		expect(status).toBe(500);
		expect(JSON.stringify(body)).not.toContain("policy service");
		expect(countRows(instance)).toEqual(before);
	});

	it("is not asked about a caller with a management key", async () => {
		const asked: unknown[] = [];
		const { manage } = await makeInstance({
			tenants: { canManageTenants: (_, request) => asked.push(request) < 0 },
		});
		expect((await manage("/tenant/list")).status).toBe(200);
		expect(asked).toEqual([]);
	});

	it.each(["administrator", "key"] as const)(
		"can name an %s of the app, who may do everything that the app may do",
		async (kind) => {
			const actor = { kind, id: "id-of-the-app", name: "Grace" };
			const limited: string[] = [];
			const instance = await makeApp({
				tenants: {
					...nobody,
					canManageTenants: () => ({ actor }),
					limitPolicy: (_, { tenantId }) => void limited.push(tenantId),
				},
			});
			const target = await makeTarget(instance);
			expect(await callAll(instance, target, {})).toEqual(allowed);
			expect(limited).toEqual([]);
			const { body } = await instance.call("/tenant/audit/list", {
				query: { action: "tenant:create" },
			});
			expect(body[0].actor).toEqual(actor);
		},
	);

	it("allows nothing with an object that does not name one", async () => {
		const answer: { value: unknown } = { value: null };
		const { call } = await withPolicy(() => answer.value);
		const actor = { kind: "key", id: "id", name: "Grace" };
		for (const value of [
			{},
			{ id: "id", name: "Grace" },
			actor,
			{ actor: {} },
			{ actor: { ...actor, kind: "server" } },
			{ actor: { ...actor, kind: "member" } },
			{ actor: { ...actor, kind: "host" } },
			{ actor: { ...actor, id: "" } },
			{ actor: { ...actor, id: null } },
			{ actor: { ...actor, name: 1 } },
			[actor],
		]) {
			answer.value = value;
			expect((await call("/tenant/list")).status).toBe(401);
		}
	});

	it("can allow a user to manage the OAuth configs of the own tenant only", async () => {
		const instance = await makeInstance({
			tenants: {
				...nobody,
				canManageTenants: async (ctx, { action, tenantId }) => {
					const session = await getSessionFromCtx(ctx);
					const own = (session?.user as { tenantId?: string } | undefined)?.tenantId;
					return action.startsWith("oauth-config:") && own !== undefined && own === tenantId;
				},
			},
		});
		const [a, b] = [await makeTenantIn(instance), await makeTenantIn(instance)];
		const { cookie } = await instance.signUp(a, "ada@example.com");
		const register = (tenantId: string) =>
			instance.call("/tenant/oauth-config/register", { body: { tenantId, ...client }, cookie });
		expect((await register(a)).status).toBe(200);
		expect((await register(b)).status).toBe(403);
		expect((await instance.call("/tenant/list", { cookie })).status).toBe(403);
	});
});

describe("auth.api", () => {
	it("is trusted without request and headers", async () => {
		const { auth } = await makeInstance({ tenants: nobody });
		const { id } = await auth.api.createTenant({ body: { name: "A", slug: uniqueSlug() } });
		expect(await auth.api.getTenant({ query: { id } })).toMatchObject({ id });
		expect(await auth.api.listTenants()).toHaveLength(1);
		await auth.api.registerTenantOAuthConfig({ body: { tenantId: id, ...client } });
		expect(await auth.api.listTenantOAuthConfigs({ query: { tenantId: id } })).toHaveLength(1);
		expect(await auth.api.deleteTenant({ body: { tenantId: id } })).toEqual({ success: true });
	});

	it("is not trusted with headers or a request", async () => {
		const { auth } = await makeInstance({ tenants: nobody });
		const body = { name: "A", slug: uniqueSlug() };
		await expect(auth.api.createTenant({ body, headers: new Headers() })).rejects.toMatchObject({
			statusCode: 401,
			body: { code: "TENANT_MANAGEMENT_NOT_ALLOWED" },
		});
		const headers = new Headers({ authorization: "Bearer something" });
		await expect(auth.api.createTenant({ body, headers })).rejects.toMatchObject({
			statusCode: 403,
		});
		const request = new Request("http://localhost:3000/anything", { headers });
		const answer = await auth.api.createTenant({ body, request, asResponse: true });
		expect(answer.status).toBe(403);
		expect(await auth.api.listTenants()).toEqual([]);
	});

	it("accepts a management key in its headers", async () => {
		const { auth } = await makeInstance();
		const headers = new Headers({ authorization: `Bearer ${MANAGEMENT_KEY}` });
		expect(await auth.api.listTenants({ headers })).toEqual([]);
	});
});
