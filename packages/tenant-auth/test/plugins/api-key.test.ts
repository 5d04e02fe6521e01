import { apiKey } from "@better-auth/api-key";
import { runInTenant } from "better-auth-tenant";
import { describe, expect, it } from "vitest";
import { stopClock } from "../../../../testing/stopped-clock";
import { makeMemoryStorage } from "../support/databases/memory-storage";
import { EMAIL, type InstanceOptions, PASSWORD } from "../support/worlds/instance";
import { makeTwoUsers } from "../support/worlds/two-tenants";
import { useWorld } from "../support/worlds/world";

type Config = NonNullable<Parameters<typeof apiKey>[0]>;

const stored = { storage: "secondary-storage" } as const;
const places: [string, object, () => InstanceOptions][] = [
	["in the database", {}, () => ({})],
	[
		"in secondary storage by a plugin listed before tenantAuth",
		stored,
		() => ({ secondaryStorage: makeMemoryStorage(), pluginsFirst: true }),
	],
	[
		"in secondary storage and the database",
		{ ...stored, fallbackToDatabase: true },
		() => ({ secondaryStorage: makeMemoryStorage() }),
	],
];

async function setUp(config: object = {}, options: InstanceOptions = {}) {
	const keys = { enableSessionForAPIKeys: true, enableMetadata: true, ...config } as Config;
	const app = await makeTwoUsers({ ...options, plugins: [apiKey(keys)] });
	const { call, ada, bob, auth } = app;
	const create = async (cookie: string) =>
		(await call("/api-key/create", { cookie, body: { name: "robot" } })).body as {
			id: string;
			key: string;
		};
	type Verified = { valid: boolean; error: { code: string } | null; key: { id: string } | null };
	const verify = (tenantId: string | null, key: string): Promise<Verified> => {
		const api = auth.api as unknown as {
			verifyApiKey: (call: { body: { key: string } }) => Promise<Verified>;
		};
		const check = () => api.verifyApiKey({ body: { key } });
		return tenantId ? runInTenant(auth, tenantId, check) : check();
	};
	return {
		...app,
		verify,
		create,
		mine: await create(ada.cookie),
		theirs: await create(bob.cookie),
	};
}

describe.each(places)("an API key that is stored %s", (_, config, store) => {
	const world = useWorld(() => setUp(config, store()));

	it("is valid in its own tenant only", async () => {
		const { a, b, verify, mine, call, ada } = world();
		expect((await verify(a, mine.key)).valid).toBe(true);
		expect((await verify(b, mine.key)).valid).toBe(false);
		const headers = { "x-api-key": mine.key };
		const own = await call("/get-session", { headers, tenant: a });
		expect(own.body.user).toMatchObject({ id: ada.body.user.id, tenantId: a });
		const foreign = await call("/get-session", { headers, tenant: b });
		expect([foreign.status, foreign.body.code]).toEqual([401, "INVALID_API_KEY"]);
	});

	it("names its tenant if the request names none, whatever session comes with it", async () => {
		const { a, verify, mine, theirs, call, ada, bob } = world();
		expect(await verify(null, mine.key)).toMatchObject({ valid: true, key: { id: mine.id } });
		expect(await verify(null, theirs.key)).toMatchObject({ valid: true, key: { id: theirs.id } });
		const headers = { "x-api-key": mine.key };
		for (const cookie of ["", bob.cookie, ada.cookie]) {
			const { body } = await call("/list-sessions", { headers, cookie });
			expect(body).toMatchObject([{ userId: ada.body.user.id, tenantId: a }]);
		}
		const unknown = { "x-api-key": mine.key.split("").reverse().join("") };
		const rejected = await call("/list-sessions", { headers: unknown, cookie: bob.cookie });
		expect([rejected.status, rejected.body.code]).toEqual([401, "INVALID_API_KEY"]);
	});

	it("makes a session that has the tenant's id, and null on the platform", async () => {
		const { a, call, create, mine } = world();
		const session = async (key: string, tenant?: string) => {
			const headers = { "x-api-key": key, ...(tenant ? { "x-tenant-id": tenant } : {}) };
			return (await call("/get-session", { headers })).body.session;
		};
		expect(await session(mine.key, a)).toMatchObject({ id: mine.id, tenantId: a });
		expect(await session(mine.key)).toMatchObject({ id: mine.id, tenantId: a });
		const body = { name: "Platform", email: EMAIL, password: PASSWORD };
		const { key } = await create((await call("/sign-up/email", { body })).cookie);
		expect(await session(key)).toMatchObject({ tenantId: null });
	});

	it("is refused in every way while its tenant is suspended, and works again afterwards", async () => {
		const { a, manage, verify, mine, call } = world();
		await manage("/tenant/suspend", { body: { tenantId: a } });
		const headers = { "x-api-key": mine.key };
		for (const named of [{}, { tenant: a }]) {
			for (const path of ["/get-session", "/list-sessions"]) {
				const { status, body } = await call(path, { headers, ...named });
				expect([status, body.code]).toEqual([403, "TENANT_SUSPENDED"]);
			}
		}
		expect(await verify(null, mine.key)).toMatchObject({
			valid: false,
			error: { code: "TENANT_SUSPENDED" },
			key: null,
		});
		await expect(verify(a, mine.key)).rejects.toThrow("is suspended");
		await manage("/tenant/resume", { body: { tenantId: a } });
		expect((await verify(null, mine.key)).valid).toBe(true);
	});

	it("is unknown after its tenant was deleted", async () => {
		const { a, manage, verify, mine, call } = world();
		await manage("/tenant/delete", { body: { tenantId: a } });
		const { status, body } = await call("/get-session", { headers: { "x-api-key": mine.key } });
		expect([status, body.code]).toEqual([401, "INVALID_API_KEY"]);
		expect(await verify(null, mine.key)).toMatchObject({ error: { code: "INVALID_API_KEY" } });
	});

	it("counts its own uses, with and without the header", async () => {
		stopClock();
		const { a, mine, theirs, verify, call } = world();
		const use = (tenant?: string) =>
			call("/list-sessions", {
				headers: { "x-api-key": mine.key },
				...(tenant ? { tenant } : {}),
			});
		for (let used = 0; used < 10; used++) {
			expect((await use(used % 2 ? a : undefined)).status).toBe(200);
		}
		expect((await use()).status).toBe(429);
		expect((await use(a)).status).toBe(429);
		expect((await verify(null, theirs.key)).valid).toBe(true);
	});

	it("is read, changed and deleted by its owner only", async () => {
		const { a, b, verify, mine, theirs, call, ada } = world();
		const as = (path: string, body?: object, tenant?: string) =>
			call(`/api-key${path}`, {
				cookie: ada.cookie,
				...(body ? { body } : {}),
				...(tenant ? { tenant } : {}),
			});
		const keyId = theirs.id;
		expect((await as(`/get?id=${keyId}`)).status).toBe(404);
		expect((await as("/update", { keyId, name: "taken" })).status).toBe(404);
		expect((await as("/delete", { keyId })).status).toBe(404);
		expect((await as(`/get?id=${keyId}`, undefined, b)).status).toBe(401);
		expect((await as("/delete", { keyId }, b)).status).toBe(401);
		expect((await verify(b, theirs.key)).valid).toBe(true);
		const { body } = await as("/list");
		expect(body.apiKeys.map(({ id }: { id: string }) => id)).toEqual([mine.id]);
		expect((await as(`/get?id=${mine.id}`)).body.id).toBe(mine.id);
		expect((await as("/update", { keyId: mine.id, name: "renamed" })).body.name).toBe("renamed");
		expect((await as("/delete", { keyId: mine.id })).body).toEqual({ success: true });
		expect((await verify(a, mine.key)).valid).toBe(false);
	});
});

describe("API keys", () => {
	it("are deleted with their tenant, and with no other", async () => {
		const { a, b, manage, verify, mine, theirs, db } = await setUp();
		await manage("/tenant/delete", { body: { tenantId: a } });
		const left = await db.selectFrom("apikey").select("id").execute();
		expect(left).toEqual([{ id: theirs.id }]);
		const owners = await db.selectFrom("tenantRow").select("rowId").execute();
		expect(owners).toEqual([{ rowId: theirs.id }]);
		expect((await verify(b, theirs.key)).valid).toBe(true);
		expect((await verify(null, mine.key)).valid).toBe(false);
	});

	it("that your own generator makes twice name no tenant, and work in their own", async () => {
		const customKeyGenerator = () => "not-random";
		const app = await setUp({ customKeyGenerator, defaultKeyLength: 10 });
		const { a, b, verify, call, mine, ada } = app;
		const headers = { "x-api-key": mine.key };
		expect((await verify(null, mine.key)).valid).toBe(false);
		expect((await call("/get-session", { headers })).status).toBe(401);
		const own = await call("/get-session", { headers, tenant: a });
		expect(own.body.user.id).toBe(ada.body.user.id);
		expect((await verify(b, mine.key)).key?.id).toBe(app.theirs.id);
	});

	it("are not accepted by our endpoints for another tenant, and manage nothing", async () => {
		const { a, b, signIn, mine, ada, call } = await setUp();
		const headers = { "x-api-key": mine.key };
		const foreign = await signIn(b, { headers });
		expect([foreign.status, foreign.body.code]).toEqual([401, "INVALID_API_KEY"]);
		expect((await signIn(a, { headers })).body.user.id).toBe(ada.body.user.id);
		const body = { name: "taken", slug: "taken" };
		const { status } = await call("/tenant/create", { headers, body });
		expect(status).toBe(401);
	});
});
