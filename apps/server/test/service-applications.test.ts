import { randomUUID } from "node:crypto";
import { runAcrossTenants, runInTenant } from "better-auth-tenant";

import { beforeAll, expect, test } from "vitest";
import { notEmpty } from "../../../testing/not-empty";
import { useFixedKeys } from "./fixed-keys";
import { newOperator } from "./operator-accounts";
import { asManager, cookiesOf, newTenant, newUser, runningService } from "./running-service";

const web = {
	name: "Notes",
	type: "web",
	redirectUris: ["https://{tenant}.app.example.com/callback"],
	postLogoutRedirectUris: ["https://app.example.com/{tenant}"],
};

type Answer = Record<string, unknown> & { clientId: string; clientSecret: string | null };

beforeAll(() => useFixedKeys());

async function withService(environment: Record<string, string> = {}) {
	const service = await runningService(environment);
	const tenantId = await newTenant(service.post);
	const send = async (path: string, body: object, headers: Record<string, string> = asManager) => {
		const response = await service.post(path, body, headers);
		return { status: response.status, body: (await response.json()) as Answer };
	};
	const read = async <T = unknown>(path: string, headers: Record<string, string> = asManager) => {
		const response = await service.call(`/api/auth${path}`, { headers });
		return { status: response.status, body: (await response.json()) as T };
	};
	const create = async (more: object = {}) =>
		(await send("/operator/application/create", { ...web, ...more })).body;
	return { ...service, tenantId, send, read, create };
}

/** The session of an owner of the tenant. */
async function ownerOf({ post }: Awaited<ReturnType<typeof withService>>, tenantId: string) {
	const signedUp = await post("/tenant/sign-up/email", newUser("ada@example.com"), {
		"x-tenant-id": tenantId,
	});
	const { user } = (await signedUp.json()) as { user: { id: string } };
	await post("/tenant/user/update", { tenantId, userId: user.id, role: "owner" }, asManager);
	return { cookie: cookiesOf(signedUp), origin: "http://localhost:3000" };
}

test("a service-wide application is created, read, changed and deleted", async () => {
	const { send, read, create } = await withService();
	const { clientSecret, ...application } = await create();
	expect(clientSecret).toMatch(/^\w{48}$/);
	expect(application).toMatchObject({ ...web, tenantId: null, disabled: false });
	const { clientId } = application;
	expect((await read("/operator/application/list")).body).toEqual([application]);
	const one = await read(`/operator/application/get?clientId=${clientId}`);
	expect(one.body).toEqual(application);
	const changed = await send("/operator/application/update", { clientId, name: "Notes 2" });
	expect(changed.body).toMatchObject({ ...web, name: "Notes 2", tenantId: null });
	const rotated = await send("/operator/application/rotate-secret", { clientId });
	expect(rotated.body.clientSecret).not.toBe(clientSecret);
	const deleted = await send("/operator/application/delete", { clientId });
	expect(deleted.body).toEqual({ success: true });
	expect((await read("/operator/application/list")).body).toEqual([]);
	expect((await send("/operator/application/delete", { clientId })).status).toBe(404);
});

test("its tokens are deleted with it in all tenants, and so are the records of who owns them", async () => {
	const { backend, post, tenantId, send, create } = await withService();
	const [{ clientId }, other] = [await create(), await create()];
	const { adapter } = await backend.auth.$context;
	const addTokens = (to: string, count: number, of: string) =>
		runInTenant(backend.auth, to, async () => {
			for (let index = 0; index < count; index++) {
				const now = new Date();
				const times = { createdAt: now, expiresAt: new Date(now.getTime() + 60_000) };
				const data = { clientId: of, token: randomUUID(), scopes: ["openid"], ...times };
				await adapter.create({ model: "oauthAccessToken", data });
			}
		});
	// More than one batch.
	await addTokens(tenantId, 130, clientId);
	await addTokens(await newTenant(post, "globex"), 3, clientId);
	await addTokens(tenantId, 2, other.clientId);
	const counts = () =>
		runAcrossTenants(async () => [
			await adapter.count({ model: "oauthAccessToken" }),
			await adapter.count({
				model: "tenantRow",
				where: [{ field: "model", value: "oauthAccessToken" }],
			}),
		]);
	expect(await counts()).toEqual([135, 135]);
	expect((await send("/operator/application/delete", { clientId })).status).toBe(200);
	expect(await counts()).toEqual([2, 2]);
});

test("a tenant sees it with its own URIs, and cannot change it", async () => {
	const service = await withService();
	const { tenantId, send, read, create } = service;
	const { clientId } = await create({ allowedOrigins: ["https://{tenant}.app.example.com"] });
	const own = (await send("/tenant/application/create", {
		...{ tenantId, name: "Own", type: "web", redirectUris: ["https://own.example.com/"] },
	})) as { body: Answer };
	const owner = await ownerOf(service, tenantId);
	for (const headers of [asManager, owner]) {
		const query = `tenantId=${tenantId}`;
		const list = await read<Answer[]>(`/tenant/application/list?${query}`, headers);
		expect(list.body.map((one) => [one.clientId, one.tenantId])).toEqual([
			[own.body.clientId, tenantId],
			[clientId, null],
		]);
		const got = await read(`/tenant/application/get?${query}&clientId=${clientId}`, headers);
		expect(got.body).toMatchObject({
			tenantId: null,
			redirectUris: ["https://acme.app.example.com/callback"],
			postLogoutRedirectUris: ["https://app.example.com/acme"],
			allowedOrigins: ["https://acme.app.example.com"],
		});
		for (const path of ["update", "rotate-secret", "delete"]) {
			const body = { tenantId, clientId, ...(path === "update" && { name: "Mine" }) };
			const answer = await send(`/tenant/application/${path}`, body, headers);
			expect([path, answer.status, answer.body.code]).toEqual([
				...[path, 403, "APPLICATION_IS_SERVICE_WIDE"],
			]);
		}
	}
	const unchanged = await read(`/operator/application/get?clientId=${clientId}`);
	expect(unchanged.body).toMatchObject(web);
});

test("an application of a tenant is not a service-wide one", async () => {
	const { tenantId, send, read } = await withService();
	const { body } = await send("/tenant/application/create", {
		...{ tenantId, name: "Own", type: "web", redirectUris: ["https://own.example.com/"] },
	});
	const { clientId } = body;
	expect((await read("/operator/application/list")).body).toEqual([]);
	expect((await read(`/operator/application/get?clientId=${clientId}`)).status).toBe(404);
	for (const path of ["update", "rotate-secret", "delete"]) {
		expect((await send(`/operator/application/${path}`, { clientId })).status).toBe(404);
	}
});

test("it is managed by operators and keys of the service, and by nobody else", async () => {
	const service = await withService();
	const { tenantId, send, read, create, backend } = service;
	const { clientId } = await create();
	const keyFor = async (scopes: string[], ofTenant?: string) => {
		const { key } = await backend.auth.api.createOperatorKey({
			body: { name: "key", scopes, ...(ofTenant && { tenantId: ofTenant }) },
		});
		return { authorization: `Bearer ${key}` };
	};
	const refusedFor = async (headers: Record<string, string>, status: number) => {
		const bodies = { create: web, update: { clientId }, "rotate-secret": { clientId } };
		for (const [path, body] of notEmpty(Object.entries({ ...bodies, delete: { clientId } }))) {
			const answer = await send(`/operator/application/${path}`, body, headers);
			expect([path, answer.status]).toEqual([path, status]);
		}
	};
	await refusedFor({}, 401);
	const owner = await ownerOf(service, tenantId);
	await refusedFor({ ...owner, "x-tenant-id": tenantId }, 403);
	await refusedFor(owner, 403);
	expect((await read("/operator/application/list", owner)).status).toBe(403);
	await refusedFor(await keyFor(["operator"], tenantId), 403);
	await refusedFor(await keyFor(["auditor"]), 403);
	await refusedFor((await newOperator(service, "auditor")).headers, 403);
	await refusedFor((await newOperator(service, "support")).headers, 403);

	const auditor = await keyFor(["auditor"]);
	expect((await read("/operator/application/list", auditor)).status).toBe(200);
	const creator = await keyFor(["application:create"]);
	expect((await send("/operator/application/create", web, creator)).status).toBe(200);
	expect((await send("/operator/application/delete", { clientId }, creator)).status).toBe(403);
	const { headers } = await newOperator(service, "operator");
	expect((await send("/operator/application/delete", { clientId }, headers)).status).toBe(200);
});

test("its changes are in the audit log of the service, without a secret", async () => {
	const { send, call, create } = await withService();
	const { clientId, clientSecret } = await create();
	await send("/operator/application/update", { clientId, name: "Other" });
	const { body: rotated } = await send("/operator/application/rotate-secret", { clientId });
	await send("/operator/application/delete", { clientId });
	const response = await call("/api/auth/tenant/audit/list", { headers: asManager });
	const text = await response.text();
	const events = JSON.parse(text) as { action: string; targetId: string; tenantId: unknown }[];
	const own = events.filter(({ targetId }) => targetId === clientId);
	expect(own.map(({ action, tenantId }) => [action, tenantId]).sort()).toEqual([
		["app:create-application", null],
		["app:delete-application", null],
		["app:rotate-application-secret", null],
		["app:update-application", null],
	]);
	expect(text).not.toContain(clientSecret);
	expect(text).not.toContain(rotated.clientSecret);
});

test("{tenant} is allowed as the first label of a host or as a segment of a path", async () => {
	const { tenantId, send, read } = await withService();
	const right = [
		"https://{tenant}.example.com/callback",
		"https://{tenant}.app.example.com:8443/callback?next=1",
		"http://{tenant}.localhost:4000/callback",
		"https://app.example.com/{tenant}",
		"https://app.example.com/t/{tenant}/callback",
		"https://app.example.com/callback",
	];
	const created = await send("/operator/application/create", { ...web, redirectUris: right });
	expect([created.status, created.body.redirectUris]).toEqual([200, right]);
	const wrong = [
		"https://{tenant}/callback",
		"https://{tenant}.com/callback",
		"https://{tenant}.com./callback",
		"https://{tenant}.:8443/callback",
		"https://app.{tenant}.example.com/callback",
		"https://app-{tenant}.example.com/callback",
		"https://{tenant}-app.example.com/callback",
		"https://{tenant}@example.com/callback",
		"https://{tenant}:443/callback",
		"https://app.example.com:{tenant}/callback",
		"https://app.example.com/a{tenant}/callback",
		"https://app.example.com/callback?tenant={tenant}",
		"https://{tenant}.example.com/{tenant}",
		"https://app.example.com/{tenant}/{tenant}",
		"https://app.example.com/{slug}",
		"https://app.example.com/{tenant}#x",
		"https://{tenant}.example.com\\@evil.example/",
		"http://{tenant}.example.com/callback",
		"{tenant}://callback",
		"com.example.app:/{tenant}",
	];
	for (const uri of notEmpty(wrong)) {
		for (const type of ["web", "native"]) {
			const body = { ...web, type, redirectUris: [uri] };
			const answer = await send("/operator/application/create", body);
			expect([uri, answer.status]).toEqual([uri, 400]);
		}
	}
	for (const more of [
		{ allowedOrigins: ["https://app.example.com/{tenant}"] },
		{ logoUrl: "https://{tenant}.example.com/logo.png" },
	]) {
		expect((await send("/operator/application/create", { ...web, ...more })).status).toBe(400);
	}
	const ofTenant = await send("/tenant/application/create", { tenantId, ...web });
	expect([ofTenant.status, ofTenant.body.code]).toEqual([400, "INVALID_APPLICATION"]);
	expect((await read<unknown[]>("/operator/application/list")).body).toHaveLength(1);
});

test("pages of its origins may call every tenant, each with its own slug", async () => {
	const { post, call, send, create } = await withService();
	await newTenant(post, "globex");
	const { clientId } = await create({
		type: "spa",
		allowedOrigins: ["https://{tenant}.app.example.com", "https://all.example.com"],
	});
	const allowed = async (slug: string, origin: string) => {
		const response = await call(`/t/${slug}/jwks`, { headers: { origin } });
		return response.headers.get("access-control-allow-origin") === origin;
	};
	expect(await allowed("acme", "https://acme.app.example.com")).toBe(true);
	expect(await allowed("globex", "https://globex.app.example.com")).toBe(true);
	expect(await allowed("globex", "https://all.example.com")).toBe(true);
	expect(await allowed("globex", "https://acme.app.example.com")).toBe(false);
	expect(await allowed("acme", "https://{tenant}.app.example.com")).toBe(false);
	await send("/operator/application/update", { clientId, disabled: true });
	expect(await allowed("acme", "https://acme.app.example.com")).toBe(false);
});

test("its pages can read that there is no such tenant, and other pages cannot", async () => {
	const { call, create } = await withService();
	await create({
		type: "spa",
		allowedOrigins: ["https://{tenant}.app.example.com", "https://all.example.com"],
	});
	const answerOf = async (path: string, origin: string, method = "GET") => {
		const { status, headers } = await call(path, { method, headers: { origin } });
		return [status, headers.get("access-control-allow-origin"), headers.get("vary")];
	};
	const all = "https://all.example.com";
	for (const path of ["/.well-known/openid-configuration", "/jwks", "/oauth2/token"]) {
		expect(await answerOf(`/t/nobody${path}`, all)).toEqual([404, all, "Origin"]);
		expect(await answerOf(`/t/nobody${path}`, all, "OPTIONS")).toEqual([204, all, "Origin"]);
		const evil = "https://evil.example";
		expect(await answerOf(`/t/nobody${path}`, evil)).toEqual([404, null, "Origin"]);
		expect(await answerOf(`/t/acme${path}`, evil)).toContain(null);
	}
	const own = "https://nobody.app.example.com";
	const discovery = "/.well-known/oauth-authorization-server/t";
	expect(await answerOf(`${discovery}/nobody`, own)).toEqual([404, own, "Origin"]);
	expect(await answerOf(`${discovery}/other`, own)).toEqual([404, null, "Origin"]);
	const below = "https://a.b.app.example.com";
	expect(await answerOf("/t/a.b/jwks", below)).toEqual([404, null, "Origin"]);
});
