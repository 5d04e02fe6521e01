import { apiKey } from "@better-auth/api-key";
import { runInTenant } from "better-auth-tenant";
import { describe, expect, it } from "vitest";
import type { InstanceOptions } from "../support/instance";
import { makeMemoryStorage } from "../support/memory-storage";
import { makeTwoUsers } from "../support/two-tenants";
import { useWorld } from "../support/world";

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
	const verify = (tenantId: string | null, key: string): Promise<{ valid: boolean }> => {
		const api = auth.api as unknown as {
			verifyApiKey: (call: { body: { key: string } }) => Promise<{ valid: boolean }>;
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
		expect((await verify(null, mine.key)).valid).toBe(false);
		const headers = { "x-api-key": mine.key };
		const own = await call("/get-session", { headers, tenant: a });
		expect(own.body.user).toMatchObject({ id: ada.body.user.id, tenantId: a });
		for (const foreign of [{ tenant: b }, {}]) {
			const rejected = await call("/get-session", { headers, ...foreign });
			expect(rejected.body?.user).toBeUndefined();
		}
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
});
