import { runAcrossTenants, runInTenant } from "better-auth-tenant";
import { decodeProtectedHeader } from "jose";
import { expect, it, vi } from "vitest";
import { notEmpty } from "../../../testing/not-empty";
import { useFixedKeys } from "./fixed-keys";
import { atTheEndOfFile } from "./running-issuers";
import {
	asManager,
	cookiesOf,
	newSlug,
	newTenant,
	newUser,
	type RunningService,
	runningService,
	useService,
} from "./running-service";
import { temporaryDirectory } from "./temporary-directory";

atTheEndOfFile()(useFixedKeys());

const service = useService({ SESSION_TOKENS: "true" });

type Jwks = { keys: { kid: string }[] };

const countKeys = async ({ backend }: RunningService) => {
	const { adapter } = await backend.auth.$context;
	return runAcrossTenants(() => adapter.count({ model: "jwks" }));
};

/** A tenant with a user who is signed in. */
async function signedIn({ post }: RunningService) {
	const slug = newSlug();
	const tenantId = await newTenant(post, slug);
	const headers = { "x-tenant-id": tenantId };
	const response = await post("/tenant/sign-up/email", newUser("ada@example.com"), headers);
	return { slug, tenantId, cookie: cookiesOf(response) };
}

const tokenOf = async ({ call }: RunningService, cookie: string) => {
	const response = await call("/api/auth/token", { headers: { cookie } });
	return ((await response.json()) as { token: string }).token;
};

const keySetOf = async ({ call }: RunningService, slug: string) =>
	(await (await call(`/t/${slug}/jwks`)).json()) as Jwks;

it("a request for the key set or for discovery makes no key", async () => {
	const running = await service();
	const before = await countKeys(running);
	const slugs = [newSlug(), newSlug(), newSlug(), newSlug()];
	for (const slug of slugs) await newTenant(running.post, slug);
	const requests = Array.from({ length: 40 }, async (_, n) => {
		const issuer = `/t/${slugs[n % slugs.length]}`;
		const [keys, discovery] = await Promise.all([
			running.call(`${issuer}/jwks`),
			running.call(`${issuer}/.well-known/openid-configuration`),
		]);
		return [keys.status, await keys.json(), discovery.status];
	});
	for (const answer of notEmpty(await Promise.all(requests))) {
		expect(answer).toEqual([200, { keys: [] }, 200]);
	}
	expect(await countKeys(running)).toBe(before);
});

it("the first tokens at the same time are signed with one key", async () => {
	const running = await service();
	const before = await countKeys(running);
	const { slug, cookie } = await signedIn(running);
	const { mock } = vi.mocked(globalThis.crypto.subtle.generateKey);
	const generatedBefore = mock.calls.length;
	const tokens = await Promise.all(Array.from({ length: 20 }, () => tokenOf(running, cookie)));
	const { keys } = await keySetOf(running, slug);
	expect(keys).toHaveLength(1);
	expect(new Set(tokens.map((token) => decodeProtectedHeader(token).kid))).toEqual(
		new Set([keys[0]?.kid]),
	);
	expect(await countKeys(running)).toBe(before + 1);
	expect(mock.calls.length - generatedBefore).toBe(1);
});

it("tokens at the same time after a rotation are signed with one new key", async () => {
	const running = await service();
	const { slug, tenantId, cookie } = await signedIn(running);
	const old = decodeProtectedHeader(await tokenOf(running, cookie)).kid;
	const { adapter } = await running.backend.auth.$context;
	await runInTenant(running.backend.auth, tenantId, () =>
		adapter.updateMany({
			model: "jwks",
			where: [{ field: "id", value: old ?? "" }],
			update: { expiresAt: new Date(Date.now() - 1000) },
		}),
	);
	// Readers do not rotate it.
	expect((await keySetOf(running, slug)).keys.map(({ kid }) => kid)).toEqual([old]);
	const tokens = await Promise.all(Array.from({ length: 20 }, () => tokenOf(running, cookie)));
	const kids = new Set(tokens.map((token) => decodeProtectedHeader(token).kid));
	expect(kids.size).toBe(1);
	expect(kids).not.toContain(old);
	expect((await keySetOf(running, slug)).keys).toHaveLength(2);
});

it("two servers on one database make one key", async () => {
	const DATA_DIR = temporaryDirectory();
	const environment = { SESSION_TOKENS: "true", DATA_DIR };
	const first = await runningService(environment);
	const second = await runningService(environment);
	const { slug, cookie } = await signedIn(first);
	const tokens = await Promise.all(
		[first, second, first, second].map((server) => tokenOf(server, cookie)),
	);
	const { keys } = await keySetOf(second, slug);
	expect(keys).toHaveLength(1);
	for (const token of notEmpty(tokens)) expect(decodeProtectedHeader(token).kid).toBe(keys[0]?.kid);
});

it("a new key changes the tenant's row, so that two nodes of a cluster collide", async () => {
	const running = await service();
	const { tenantId, cookie } = await signedIn(running);
	const { adapter } = await running.backend.auth.$context;
	const query = { model: "tenant", where: [{ field: "id", value: tenantId }] };
	const old = new Date(0);
	await adapter.updateMany({ ...query, update: { updatedAt: old } });
	await tokenOf(running, cookie);
	expect((await adapter.findOne<{ updatedAt: Date }>(query))?.updatedAt).not.toEqual(old);
});

it("a server that collides takes the key of the other one", async () => {
	const running = await service();
	const { slug, cookie } = await signedIn(running);
	const { adapter } = await running.backend.auth.$context;
	const { transaction } = adapter;
	const deadlock = Object.assign(new Error("Deadlock found"), { code: "ER_LOCK_DEADLOCK" });
	const spy = vi.spyOn(adapter, "transaction").mockImplementationOnce(async (work) => {
		await transaction(work);
		throw deadlock;
	});
	const token = await tokenOf(running, cookie);
	expect(spy).toHaveBeenCalledOnce();
	spy.mockRestore();
	const { keys } = await keySetOf(running, slug);
	expect(keys.map(({ kid }) => kid)).toEqual([decodeProtectedHeader(token).kid]);
});

it("the key set of a suspended tenant stays closed", async () => {
	const running = await service();
	const slug = newSlug();
	const tenantId = await newTenant(running.post, slug);
	await running.post("/tenant/suspend", { tenantId }, asManager);
	expect((await running.call(`/t/${slug}/jwks`)).status).toBe(403);
});

it("the key set of a tenant is there while the tenant is served", async () => {
	const running = await service();
	const before = await countKeys(running);
	const { slug, tenantId, cookie } = await signedIn(running);
	await tokenOf(running, cookie);
	const manage = async (action: string) =>
		expect((await running.post(`/tenant/${action}`, { tenantId }, asManager)).status).toBe(200);
	const read = async () => (await running.call(`/t/${slug}/jwks`)).status;
	expect(await read()).toBe(200);
	await manage("suspend");
	expect(await read()).toBe(403);
	await manage("resume");
	expect((await keySetOf(running, slug)).keys).toHaveLength(1);
	await manage("delete");
	expect(await read()).toBe(404);
	expect(await countKeys(running)).toBe(before);
});
