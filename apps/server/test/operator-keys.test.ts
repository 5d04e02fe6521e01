import { expect, test } from "vitest";
import { newOperator } from "./operator-accounts";
import { asManager, newTenant, type RunningService, runningService } from "./running-service";
import { temporaryDirectory } from "./temporary-directory";

type NewKey = { scopes: string[]; tenantId?: string; expiresAt?: Date; name?: string };

async function newKey({ backend }: RunningService, { name = "deploy", ...key }: NewKey) {
	const created = await backend.auth.api.createOperatorKey({ body: { name, ...key } });
	return { ...created, headers: { authorization: `Bearer ${created.key}` } };
}

const statusOf = async ({ call }: RunningService, path: string, headers: Record<string, string>) =>
	(await call(`/api/auth${path}`, { headers })).status;

const auditOf = async ({ call }: RunningService, action: string) =>
	(await (
		await call(`/api/auth/tenant/audit/list?action=${action}`, { headers: asManager })
	).json()) as {
		actor: object;
		detail: object | null;
		targetId: string;
		tenantId: string | null;
	}[];

test("a key does what its scopes say, and the audit log names it", async () => {
	const service = await runningService();
	const { id, headers } = await newKey(service, { scopes: ["tenant:create", "tenant:get"] });
	const created = await service.post("/tenant/create", { name: "Acme", slug: "acme" }, headers);
	expect(created.status).toBe(200);
	expect(await statusOf(service, "/tenant/get?slug=acme", headers)).toBe(200);
	expect(await statusOf(service, "/tenant/list", headers)).toBe(403);
	const [event] = await auditOf(service, "tenant:create");
	expect(event?.actor).toEqual({ kind: "key", id, name: "deploy" });
});

test("a key that acts for the app may create a sign-in link, which a tenant's users may not", async () => {
	const service = await runningService();
	const tenantId = await newTenant(service.post);
	const { headers } = await newKey(service, { scopes: ["operator"] });
	const user = { tenantId, name: "Ada", email: "ada@example.com", role: "owner" };
	const created = await service.post("/tenant/user/create", user, headers);
	const { id: userId } = (await created.json()) as { id: string };
	const link = { tenantId, userId, reason: "locked out" };
	expect((await service.post("/tenant/user/sign-in-link", link, headers)).status).toBe(200);
});

test("a key of one tenant reaches no other tenant, and nothing of the service", async () => {
	const service = await runningService();
	const own = await newTenant(service.post, "acme");
	const other = await newTenant(service.post, "globex");
	const { headers } = await newKey(service, { scopes: ["operator"], tenantId: own });
	expect(await statusOf(service, `/tenant/user/list?tenantId=${own}`, headers)).toBe(200);
	expect(await statusOf(service, `/tenant/user/list?tenantId=${other}`, headers)).toBe(403);
	expect(await statusOf(service, "/tenant/get?slug=acme", headers)).toBe(200);
	expect(await statusOf(service, "/tenant/get?slug=globex", headers)).toBe(403);
	expect(await statusOf(service, "/tenant/get?slug=nobody", headers)).toBe(403);
	expect(await statusOf(service, "/tenant/list", headers)).toBe(403);
	expect(await statusOf(service, "/tenant/audit/list", headers)).toBe(403);
	expect((await service.call("/service/info", { headers })).status).toBe(403);
	const named = { ...headers, "x-tenant-id": own };
	const moved = await service.post("/tenant/delete", { tenantId: other }, named);
	expect(moved.status).toBe(403);
});

test("an expired key is refused, and a revoked one at once by all servers", async () => {
	const DATA_DIR = temporaryDirectory();
	const service = await runningService({ DATA_DIR });
	const other = await runningService({ DATA_DIR });
	const { id, headers } = await newKey(service, { scopes: ["auditor"] });
	expect(await statusOf(other, "/tenant/list", headers)).toBe(200);
	const revoked = await service.post("/operator/key/revoke", { id }, asManager);
	expect(revoked.status).toBe(200);
	expect(await statusOf(service, "/tenant/list", headers)).toBe(403);
	expect(await statusOf(other, "/tenant/list", headers)).toBe(403);
	expect((await service.post("/operator/key/revoke", { id }, asManager)).status).toBe(404);

	const short = await newKey(service, {
		scopes: ["auditor"],
		expiresAt: new Date(Date.now() + 60_000),
	});
	expect(await statusOf(service, "/tenant/list", short.headers)).toBe(200);
	const { adapter } = await service.backend.auth.$context;
	const where = [{ field: "id", value: short.id }];
	const update = { expiresAt: new Date(Date.now() - 1) };
	await adapter.update({ model: "operatorKey", where, update });
	expect(await statusOf(service, "/tenant/list", short.headers)).toBe(403);
});

test("the key itself is nowhere: not in the database, a list or a log line", async () => {
	const service = await runningService();
	const { key, headers } = await newKey(service, { scopes: ["operator"] });
	expect(key).toMatch(/^tak_[\w-]{43}$/);
	await service.call("/api/auth/tenant/list", { headers });
	const rows = await service.backend.database.db
		.selectFrom("operatorKey" as never)
		.selectAll()
		.execute();
	expect(JSON.stringify(rows)).not.toContain(key);
	const list = await service.call("/api/auth/operator/key/list", { headers: asManager });
	const text = await list.text();
	expect(text).not.toContain(key);
	expect(text).not.toContain("digest");
	expect(service.log()).not.toContain(key);
	expect(JSON.stringify(await auditOf(service, "app:create-key"))).not.toContain(key);
});

test("the last use is written at most once a minute", async () => {
	const service = await runningService();
	const { headers } = await newKey(service, { scopes: ["auditor"] });
	const lastUse = async () => (await service.backend.auth.api.listOperatorKeys())[0]?.lastUsedAt;
	expect(await lastUse()).toBeNull();
	await service.call("/api/auth/tenant/list", { headers });
	const first = await lastUse();
	expect(first).toBeInstanceOf(Date);
	await service.call("/api/auth/tenant/list", { headers });
	expect(await lastUse()).toEqual(first);
});

test("an owner makes and revokes keys, and the audit log names the owner", async () => {
	const service = await runningService();
	const owner = await newOperator(service, "owner", "grace@example.com");
	const body = { name: "ci", scopes: ["tenant:list"] };
	const created = await service.post("/operator/key/create", body, owner.headers);
	const { id } = (await created.json()) as { id: string };
	expect(created.status).toBe(200);
	await service.post("/operator/key/revoke", { id }, owner.headers);
	const actor = { kind: "administrator", id: owner.id, name: "grace" };
	expect(await auditOf(service, "app:create-key")).toMatchObject([
		{ actor, targetId: id, tenantId: null, detail: { name: "ci", scopes: ["tenant:list"] } },
	]);
	expect(await auditOf(service, "app:revoke-key")).toMatchObject([
		{ actor, targetId: id, detail: { name: "ci" } },
	]);
});

test.each([
	[{ scopes: ["owner"] }, 400, "INVALID_SCOPE"],
	[{ scopes: ["key:create"] }, 400, "INVALID_SCOPE"],
	[{ scopes: ["operator:list"] }, 400, "INVALID_SCOPE"],
	[{ scopes: ["toString"] }, 400, "INVALID_SCOPE"],
	[{ scopes: [] }, 400, "VALIDATION_ERROR"],
	[{ name: " " }, 400, "VALIDATION_ERROR"],
	[{ expiresAt: "2020-01-01T00:00:00Z" }, 400, "INVALID_EXPIRY"],
	[{ expiresAt: "soon" }, 400, "VALIDATION_ERROR"],
	[{ tenantId: "nobody" }, 404, "TENANT_NOT_FOUND"],
])("a key with %j is refused", async (wrong, status, code) => {
	const { post } = await runningService();
	const body = { name: "ci", scopes: ["auditor"], ...wrong };
	const response = await post("/operator/key/create", body, asManager);
	expect([response.status, await response.json()]).toEqual([
		status,
		expect.objectContaining({ code }),
	]);
});
