import { apiKey } from "@better-auth/api-key";
import { runInTenant } from "better-auth-tenant";
import { describe, expect, it } from "vitest";
import type { InstanceOptions } from "../support/instance";
import { makeMemoryStorage } from "../support/memory-storage";
import { makeTwoUsers, orders } from "../support/two-tenants";

type Config = NonNullable<Parameters<typeof apiKey>[0]>;

const stored = { storage: "secondary-storage" } as const;
const places: [string, object, () => InstanceOptions][] = [
	["in the database", {}, () => ({})],
	["in a secondary storage", stored, () => ({ secondaryStorage: makeMemoryStorage() })],
	[
		"in a secondary storage before the database",
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

describe.each(places)("an API key that is kept %s", (_, config, store) => {
	it.each(orders)("is good in its tenant alone, plugin %s", async (__, order) => {
		const { a, b, verify, mine, call, ada } = await setUp(config, { ...store(), ...order });
		expect((await verify(a, mine.key)).valid).toBe(true);
		expect((await verify(b, mine.key)).valid).toBe(false);
		expect((await verify(null, mine.key)).valid).toBe(false);
		const headers = { "x-api-key": mine.key };
		const own = await call("/get-session", { headers, tenant: a });
		expect(own.body.user).toMatchObject({ id: ada.body.user.id, tenantId: a });
		for (const foreign of [{ tenant: b }, {}]) {
			const refused = await call("/get-session", { headers, ...foreign });
			expect(refused.body?.user).toBeUndefined();
		}
	});

	it("is read, changed and deleted by its owner alone", async () => {
		const { a, b, verify, mine, theirs, call, ada } = await setUp(config, store());
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

describe("the API keys of a tenant that is deleted", () => {
	it("are gone, and those of another are not", async () => {
		const { a, b, manage, verify, mine, theirs, db } = await setUp();
		await manage("/tenant/delete", { body: { tenantId: a } });
		const left = await db.selectFrom("apikey").select("id").execute();
		expect(left).toEqual([{ id: theirs.id }]);
		const noted = await db.selectFrom("tenantRow").select("rowId").execute();
		expect(noted).toEqual([{ rowId: theirs.id }]);
		expect((await verify(b, theirs.key)).valid).toBe(true);
		expect((await verify(null, mine.key)).valid).toBe(false);
	});
});
