import type { BetterAuthOptions, BetterAuthPlugin } from "better-auth";
import { fastHandler, getSession } from "better-auth-fast";
import {
	defineTenantPlugin,
	runInTenant,
	type TenantAuthOptions,
	tenantAuth,
	tenantHosts,
} from "better-auth-tenant";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { cookiesOf, ORIGIN } from "../../../tenant-auth/test/support/worlds/plain-better-auth";
import { makeDeterministic, makePair, type Pair } from "../comparison/compare";
import { type Fill, USER } from "../comparison/compared-app";
import { isReadDirectly, requireDirect, requireFallback, sendGetSession } from "./sent-session";

makeDeterministic();

const post = (path: string, body: object) =>
	new Request(`${ORIGIN}/api/auth${path}`, {
		method: "POST",
		headers: { "content-type": "application/json", origin: ORIGIN },
		body: JSON.stringify(body),
	});

/** Two tenants, and a user in the first one. */
const fillTenants =
	(ownId?: string): Fill =>
	async ({ api, handler }) => {
		type Api = { createTenant(input: object): Promise<{ id: string }> };
		const create = (slug: string, id?: string) =>
			(api as unknown as Api).createTenant({ body: { id, name: slug, slug } });
		const { id } = await create("acme", ownId);
		await create("globex");
		return cookiesOf(await handler(post("/tenant/sign-up/email", { ...USER, tenantId: id })));
	};

const makeTenants = (
	tenants: TenantAuthOptions = {},
	plugins: BetterAuthPlugin[] = [],
	options: BetterAuthOptions = {},
) =>
	makePair(() => ({ ...options, plugins: [tenantAuth(tenants) as BetterAuthPlugin, ...plugins] }), {
		fill: fillTenants(),
	});

describe("the session of a tenant", () => {
	let pair: Pair;
	let start: ReturnType<Pair["plain"]["rows"]>;
	let tenantId: string;

	beforeAll(async () => {
		pair = await makeTenants();
		start = pair.plain.rows();
		tenantId = String(start.tenant?.find(({ slug }) => slug === "acme")?.id);
	});

	const otherId = () => String(start.tenant?.find(({ slug }) => slug === "globex")?.id);
	const naming = (id: string) => ({ headers: { "x-tenant-id": id } });
	const onBoth = (sql: string) => {
		for (const app of [pair.plain, pair.ours]) app.execute(sql);
	};

	beforeEach(() => {
		onBoth("update tenant set suspendedAt = null, erasingSince = null, policy = null");
		onBoth("update user set disabledAt = null");
		onBoth(`update session set tenantId = '${tenantId}', tenantImpersonator = null`);
		onBoth(`update user set tenantId = '${tenantId}'`);
	});

	it("is read directly, with the header that caches need", async () => {
		const { headers, body } = await requireDirect(pair);
		expect(Object.fromEntries(headers).vary).toBe("x-tenant-id");
		expect(JSON.parse(body)).toMatchObject({ session: { tenantId }, user: { tenantId } });
		expect(pair.ours.statements).toHaveLength(1);
	});

	it("is read directly if the request names the tenant", async () => {
		await requireDirect(pair, naming(tenantId));
		await requireDirect(pair, naming(` ${tenantId} `));
		await requireDirect(pair, naming(""));
	});

	it("is read directly on the platform", async () => {
		onBoth("update session set tenantId = ''");
		onBoth("update user set tenantId = ''");
		const { body } = await requireDirect(pair);
		expect(JSON.parse(body)).toMatchObject({ session: { tenantId: null } });
	});

	const date = "'2026-01-01T00:00:00.000Z'";
	it.each([
		["is suspended", `update tenant set suspendedAt = ${date}`, "null"],
		["is being deleted", `update tenant set erasingSince = ${date}`, "null"],
		["is gone", "update user set tenantId = 'gone'; update session set tenantId = 'gone'", "null"],
		["has a policy", `update tenant set policy = '{"session":{"lifetime":60}}'`, '"token"'],
		["has disabled the user", `update user set disabledAt = ${date}`, "null"],
		["has the user no more", "update user set tenantId = ''", "null"],
		[
			"lets somebody impersonate the user",
			"update session set tenantImpersonator = 'member:1'",
			'"token"',
		],
	])("goes through all hooks if the tenant %s", async (_, sql, content) => {
		onBoth(sql);
		const { body } = await sendGetSession(pair);
		expect(body).toContain(content);
		expect(pair.ours.statements.length).toBeGreaterThan(1);
	});

	it("goes through all hooks if the request names another tenant, or none that exists", async () => {
		for (const id of [otherId(), "unknown"]) {
			const { body } = await sendGetSession(pair, naming(id));
			expect(body).not.toContain('"token"');
			expect(pair.ours.statements.length).toBeGreaterThan(1);
		}
		onBoth("update session set tenantId = ''");
		onBoth("update user set tenantId = ''");
		const { body } = await sendGetSession(pair, naming(tenantId));
		expect(body).toBe("null");
	});

	it("is not read for code that runs in another tenant", async () => {
		const { auth, cookie } = pair.ours;
		const headers = new Headers({ cookie });
		expect(await getSession(auth, headers)).toMatchObject({ session: { tenantId } });
		await runInTenant(auth as never, otherId(), async () => {
			expect(await auth.api.getSession({ headers })).toBeNull();
			expect(await getSession(auth, headers)).toBeNull();
			const url = `${ORIGIN}/api/auth/get-session`;
			const response = await fastHandler(auth)(new Request(url, { headers }));
			expect(await response.json()).toBeNull();
		});
	});
});

describe("the session of a tenant that its token may name", () => {
	const makeNaming = (id?: string) =>
		makePair(
			() => ({ plugins: [tenantAuth({ tenantInSessionTokens: true }) as BetterAuthPlugin] }),
			{ fill: fillTenants(id) },
		);

	it("is read directly, by the token and the tenant", async () => {
		const pair = await makeNaming();
		await requireDirect(pair);
		const [{ token, tenantId } = {}] = pair.ours.rows().session ?? [];
		expect(token).toMatch(/^[a-zA-Z\d]{32}_/);
		expect(String(token).slice(33)).toBe(tenantId);
		expect(pair.ours.statements.join()).toMatch(/"a"."tenantId" = \? and "b"."tenantId" = \?$/);
		for (const app of [pair.plain, pair.ours]) app.execute("update user set tenantId = ''");
		expect((await sendGetSession(pair)).body).toBe("null");
	});

	it("is read directly, by the token alone, if the token does not name it", async () => {
		const pair = await makeNaming("acme.example");
		await requireDirect(pair);
		const [{ token, tenantId } = {}] = pair.ours.rows().session ?? [];
		expect(tenantId).toBe("acme.example");
		expect(token).toHaveLength(32);
		expect(pair.ours.statements.join()).not.toContain('"a"."tenantId" =');
	});
});

describe("our hooks find the tenant of a session in an app", () => {
	it("with a resolver", async () => {
		await requireFallback(await makeTenants({ resolveTenantId: async () => null }));
	});

	it("with tenants by host name", async () => {
		const hosts = tenantHosts({ domain: "example.com" });
		const pair = await makeTenants({ hosts }, [], { baseURL: hosts.baseURL });
		await requireFallback(pair);
	});

	it("with a feature that looks at each session", async () => {
		const feature = () =>
			defineTenantPlugin({
				id: "feature",
				tenant: { session: { admits: async () => true } },
			}) as unknown as BetterAuthPlugin;
		await requireFallback(await makeTenants({}, [feature()]));
	});

	it("with counted ids, whose columns may differ in their types", async () => {
		const options: BetterAuthOptions = { advanced: { database: { generateId: "serial" } } };
		const pair = await makeTenants({}, [], options);
		await requireFallback(pair);
		expect(isReadDirectly(pair)).toBe(false);
	});
});
