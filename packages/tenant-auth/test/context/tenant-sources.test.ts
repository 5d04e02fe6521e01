import type { TenantResolution } from "better-auth-tenant";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { type Answer, type Instance, makeInstance } from "../support/worlds/instance";

const password = "correct horse battery";
const email = "ada@example.com";
const client = { providerId: "github", clientSecret: "secret" } as const;

interface Sources {
	option: string | null | undefined;
	body: string | undefined;
	query: string | undefined;
	header: string | undefined;
}

describe("the sources of the tenant id", () => {
	let instance: Instance;
	const tenants: string[] = [];
	let resolved: string | null | undefined;

	beforeAll(async () => {
		instance = await makeInstance({ tenants: { resolveTenantId: async () => resolved } });
		for (let index = 0; index < 4; index += 1) {
			const tenantId = await instance.makeTenant();
			tenants.push(tenantId);
			await instance.signUp(tenantId, email, password);
			await registerClient(tenantId);
		}
	});

	const registerClient = (tenantId: string) =>
		instance.auth.api.registerTenantOAuthConfig({
			body: { tenantId, ...client, clientId: `client-of-${tenantId}` },
		});

	async function callFrom(path: string, { option, body, query, header }: Sources, rest?: object) {
		resolved = option;
		const answer = await instance.manage(path, {
			...(rest ? { body: { tenantId: body, ...rest } } : {}),
			...(query === undefined ? {} : { query: { tenantId: query } }),
			...(header === undefined ? {} : { headers: { "x-tenant-id": header } }),
		});
		resolved = undefined;
		return answer;
	}

	let signedUp = 0;

	/** Each endpoint, and how its answer tells which tenant it worked in. */
	const endpoints: [
		path: string,
		rest: () => object | undefined,
		tenantOf: (answer: Answer) => string | Promise<string>,
	][] = [
		[
			"/tenant/sign-up/email",
			() => ({ name: "Ada", email: `user-${++signedUp}@example.com`, password }),
			({ body }) => body.user.tenantId,
		],
		["/tenant/sign-in/email", () => ({ email, password }), ({ body }) => body.session.tenantId],
		[
			"/tenant/sign-in/social",
			() => ({ provider: "github" }),
			({ body }) =>
				new URL(body.url).searchParams.get("client_id")?.slice("client-of-".length) ?? "",
		],
		[
			"/tenant/oauth-config/register",
			() => ({ ...client, providerId: "google", clientId: "id" }),
			({ body }) => body.tenantId,
		],
		["/tenant/oauth-config/list", () => undefined, ({ body }) => body[0].tenantId],
		[
			"/tenant/oauth-config/update",
			() => ({ providerId: "github", enabled: true }),
			({ body }) => body.tenantId,
		],
		[
			"/tenant/oauth-config/delete",
			() => ({ providerId: "github" }),
			async () => {
				const rows = await instance.db.selectFrom("tenantOauthConfig").selectAll().execute();
				const left = rows.filter((row) => row.providerId === "github").map((row) => row.tenantId);
				const [deleted = ""] = tenants.filter((tenantId) => !left.includes(tenantId));
				await registerClient(deleted);
				return deleted;
			},
		],
	];

	/** A tenant, one that does not exist, or nothing in one of its forms. */
	const named = fc.oneof(
		{ weight: 3, arbitrary: fc.nat({ max: 3 }).map((index) => () => tenants[index]) },
		{ weight: 3, arbitrary: fc.constantFrom("", undefined).map((nothing) => () => nothing) },
		{ weight: 1, arbitrary: fc.constant(() => "nobody") },
	);
	const falsy = fc.constantFrom(null, undefined, "").map((nothing) => () => nothing);

	it.each(endpoints)("count in their order at %s", async (path, rest, tenantOf) => {
		const hasBody = rest() !== undefined;
		await fc.assert(
			fc.asyncProperty(fc.oneof(named, falsy), named, named, named, async (...drawn) => {
				const [option, body, query, header] = drawn.map((draw) => draw());
				const sources = {
					option,
					body: hasBody ? (body ?? undefined) : undefined,
					query: query ?? undefined,
					header: header ?? undefined,
				};
				const answer = await callFrom(path, sources, rest());
				const expected = [sources.option, sources.body, sources.query, sources.header].find(
					Boolean,
				);
				if (!expected) {
					expect([answer.status, answer.body.code]).toEqual([400, "TENANT_ID_REQUIRED"]);
				} else if (expected === "nobody") {
					expect([answer.status, answer.body.code]).toEqual([404, "TENANT_NOT_FOUND"]);
				} else {
					expect(answer.status).toBe(200);
					expect(await tenantOf(answer)).toBe(expected);
				}
			}),
			{ numRuns: 60 },
		);
	});

	it.each(endpoints)("do not include the session's tenant at %s", async (path, rest) => {
		const { cookie } = await instance.signUp(tenants[0] as string, `own-${++signedUp}@example.com`);
		const body = rest();
		const { status, body: answer } = await instance.manage(path, {
			...(body ? { body } : {}),
			cookie,
		});
		expect([status, answer.code]).toEqual([400, "TENANT_ID_REQUIRED"]);
	});

	it.each(endpoints)("refuse a tenant named twice in the query at %s", async (path, rest) => {
		const body = rest();
		const [a, b] = tenants;
		const { status, body: answer } = await instance.manage(
			`${path}?tenantId=${a}&tenantId=${b}`,
			body ? { body } : {},
		);
		expect(status).toBe(400);
		expect(["TENANT_ID_REQUIRED", "VALIDATION_ERROR"]).toContain(answer.code);
	});

	it.each(["a b", "x".repeat(129), "' or 1=1 --", "%", "__proto__", "../x"])(
		"take the header %j for an unknown tenant",
		async (header) => {
			const answer = await instance.call("/tenant/sign-in/email", {
				body: { email, password },
				headers: { "x-tenant-id": header },
			});
			expect([answer.status, answer.body.code]).toEqual([404, "TENANT_NOT_FOUND"]);
		},
	);

	it("do not take a slug for an id", async () => {
		const { slug } = await instance.auth.api.createTenant({
			body: { name: "By slug", slug: "by-slug-only" },
		});
		const answer = await instance.signUp(slug, email);
		expect([answer.status, answer.body.code]).toEqual([404, "TENANT_NOT_FOUND"]);
	});
});

describe("tenantHeader", () => {
	it("names the header that counts, and no other does then", async () => {
		const { call, makeTenant } = await makeInstance({ tenants: { tenantHeader: "X-Org" } });
		const [a, b] = [await makeTenant(), await makeTenant()];
		const body = { name: "Ada", email, password };
		const signUp = (headers: Record<string, string>) =>
			call("/tenant/sign-up/email", { body, headers });
		expect((await signUp({ "x-tenant-id": b })).body.code).toBe("TENANT_ID_REQUIRED");
		expect((await signUp({ "x-tenant-id": b, "x-org": a })).body.user.tenantId).toBe(a);
	});
});

describe("the query at an endpoint of Better Auth", () => {
	it("names no tenant: it can be put into a link that a victim is made to click", async () => {
		const { call, makeTenant, signUp } = await makeInstance({
			tenants: { resolveTenantId: () => null },
		});
		const [a, b] = [await makeTenant(), await makeTenant()];
		const { cookie } = await signUp(a, email, password);
		const query = { tenantId: b };
		expect((await call("/get-session", { cookie, query })).body.user.tenantId).toBe(a);
		const body = { name: "Ada", email, password };
		expect((await call("/sign-up/email", { query, body })).body.user.tenantId).toBeNull();
	});
});

describe("resolveTenantId", () => {
	it("is asked with the request", async () => {
		const byHost: Record<string, string> = {};
		const { call, makeTenant } = await makeInstance({
			tenants: { resolveTenantId: (ctx) => byHost[ctx.headers?.get("x-host") ?? ""] },
		});
		byHost["acme.example.com"] = await makeTenant();
		const { body } = await call("/tenant/sign-up/email", {
			body: { name: "Ada", email, password },
			headers: { "x-host": "acme.example.com" },
		});
		expect(body.user.tenantId).toBe(byHost["acme.example.com"]);
	});

	it("may name a tenant by its slug, with one read of the tenant", async () => {
		const { call, auth, statements } = await makeInstance({
			tenants: { resolveTenantId: () => ({ slug: "acme" }) },
		});
		const { id: acme } = await auth.api.createTenant({ body: { name: "Acme", slug: "acme" } });
		const body = { name: "Ada", email, password };
		for (const [path, user] of [
			["/tenant/sign-up/email", body],
			["/sign-up/email", { ...body, email: "bob@example.com" }],
		] as const) {
			statements.length = 0;
			expect((await call(path, { body: user })).body.user.tenantId).toBe(acme);
			expect(statements.filter((sql) => /^select .* from "tenant" /.test(sql))).toHaveLength(1);
		}
	});

	it.each<[string, TenantResolution]>([
		["false", false],
		["an unknown slug", { slug: "nobody" }],
		["a slug that cannot be one", { slug: "ACME\0" }],
		["an unknown id", "nobody"],
	])("refuses with 404 if it returns %s, and nothing runs on the platform", async (_, answer) => {
		const { call, auth, db } = await makeInstance({ tenants: { resolveTenantId: () => answer } });
		const user = { name: "Ada", email, password };
		const { id } = await auth.api.createTenant({ body: { name: "A", slug: "tenant-a" } });
		const answers = [
			await call("/sign-up/email", { body: user }),
			await call("/tenant/sign-up/email", { body: { ...user, tenantId: id }, tenant: id }),
			await call("/get-session", { tenant: id }),
		];
		for (const { status, body } of notEmpty(answers)) {
			expect([status, body.code]).toEqual([404, "TENANT_NOT_FOUND"]);
		}
		await expect(auth.api.getSession({ headers: new Headers() })).rejects.toMatchObject({
			body: { code: "TENANT_NOT_FOUND" },
		});
		expect(await db.selectFrom("user").selectAll().execute()).toEqual([]);
	});

	it("refuses management and callbacks too if it returns false, and not server code", async () => {
		const { manage, call, auth } = await makeInstance({
			tenants: { resolveTenantId: () => false },
		});
		for (const answer of [
			await manage("/tenant/list"),
			await manage("/tenant/create", { body: { name: "A", slug: "tenant-a" } }),
			await call("/callback/google", { query: { state: "state", code: "code" } }),
			await call("/tenant/callback/google", { query: { state: "state", code: "code" } }),
			await call("/tenant/login-options", { query: { slug: "acme" } }),
		]) {
			expect([answer.status, answer.body.code]).toEqual([404, "TENANT_NOT_FOUND"]);
		}
		expect(await auth.api.listTenants({})).toEqual([]);
	});

	it("has no opinion if it returns null or nothing", async () => {
		for (const answer of [null, undefined, ""]) {
			const { call, makeTenant } = await makeInstance({
				tenants: { resolveTenantId: () => answer },
			});
			const tenant = await makeTenant();
			const body = { name: "Ada", email, password };
			const inTenant = await call("/sign-up/email", { body, tenant });
			expect(inTenant.body.user.tenantId).toBe(tenant);
			expect((await call("/sign-up/email", { body })).body.user.tenantId).toBeNull();
		}
	});

	it("gets the headers in server code that has no request", async () => {
		const { auth, signUp, makeTenant } = await makeInstance({
			tenants: { resolveTenantId: ({ headers }) => headers?.get("x-workspace") },
		});
		const [a, b] = [await makeTenant(), await makeTenant()];
		const { cookie } = await signUp(a);
		const read = async (workspace: string) =>
			auth.api.getSession({ headers: new Headers({ cookie, "x-workspace": workspace }) });
		expect((await read(a))?.user).toMatchObject({ tenantId: a });
		expect(await read(b)).toBeNull();
	});

	it("lets nobody in when it fails", async () => {
		const instance = await makeInstance({
			tenants: { resolveTenantId: () => Promise.reject(new Error("host table is down")) },
			onAPIError: { onError: () => undefined },
		});
		const { id } = await instance.auth.api.createTenant({ body: { name: "A", slug: "tenant-a" } });
		const { status } = await instance.signUp(id, email);
		expect(status).toBe(500);
		expect(await instance.db.selectFrom("user").selectAll().execute()).toEqual([]);
	});
});

describe("an answer of resolveTenantId that is no text", () => {
	const user = { name: "Ada", email: "ada@example.com", password: "correct horse battery" };
	const make = async (answer: unknown) => {
		const host = await makeInstance({
			advanced: { database: { generateId: "serial" } },
			tenants: { resolveTenantId: () => answer as string },
		});
		const makeTenant = async (slug: string) =>
			(await host.auth.api.createTenant({ body: { name: slug, slug } })).id;
		const ids = [await makeTenant("acme"), await makeTenant("globex")];
		const users = () => host.db.selectFrom("user").select("tenantId").execute();
		return { ...host, ids, users };
	};

	it("is the tenant's id if it is a number, whatever the client names", async () => {
		const { call, ids, users } = await make(1);
		await call("/tenant/sign-up/email", { body: { ...user, tenantId: ids[1] } });
		expect(await users()).toEqual([{ tenantId: ids[0] }]);
	});

	it.each([
		["an object without a slug", { id: "1" }],
		["a slug that is not a text", { slug: 1 }],
		["true", true],
		["a list", ["1"]],
	])("fails the call if it is %s", async (_, answer) => {
		const { call, ids, users } = await make(answer);
		const ours = await call("/tenant/sign-up/email", { body: { ...user, tenantId: ids[1] } });
		const cores = await call("/sign-up/email", { body: user });
		expect([ours.status, cores.status]).toEqual([500, 500]);
		expect(await users()).toEqual([]);
	});
});
