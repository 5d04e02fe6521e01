import { createPublicKey, verify } from "node:crypto";
import { jwt } from "better-auth/plugins";
import { describe, expect, it } from "vitest";
import type { InstanceOptions } from "../support/worlds/instance";
import { sessionStores } from "../support/worlds/session-stores";
import { makeTwoUsers, orders } from "../support/worlds/two-tenants";
import { useWorld } from "../support/worlds/world";

async function setUp(options: InstanceOptions = {}, plugin?: Parameters<typeof jwt>[0]) {
	const app = await makeTwoUsers({ ...options, plugins: [jwt(plugin)] });
	/** Verifies a token with the key set, and returns its payload. */
	const read = async (token: string) => {
		const [head = "", body = "", signature = ""] = token.split(".");
		const part = (text: string) => JSON.parse(Buffer.from(text, "base64url").toString());
		const { keys } = (await app.call("/jwks")).body;
		const key = keys.find(({ kid }: { kid: string }) => kid === part(head).kid);
		const isSigned = verify(
			null,
			Buffer.from(`${head}.${body}`),
			createPublicKey({ key, format: "jwk" }),
			Buffer.from(signature, "base64url"),
		);
		expect(isSigned).toBe(true);
		return part(body);
	};
	return { ...app, read };
}

const cases: [string, () => InstanceOptions][] = [...sessionStores, ...orders];

describe.each(cases)("a JWT of a session %s", (_, options) => {
	const world = useWorld(() => setUp(options()));

	it("contains the tenant and its user", async () => {
		const { call, a, b, ada, bob, read } = world();
		for (const [tenantId, user] of [
			[a, ada],
			[b, bob],
		] as const) {
			const { body } = await call("/token", { cookie: user.cookie });
			expect(await read(body.token)).toMatchObject({ sub: user.body.user.id, tenantId });
			const session = await call("/get-session", { cookie: user.cookie });
			const inHeader = await read(String(session.headers.get("set-auth-jwt")));
			expect(inHeader).toMatchObject({ sub: user.body.user.id, tenantId });
		}
	});

	it("is not created in B for a session of A", async () => {
		const { call, b, ada } = world();
		expect((await call("/token", { cookie: ada.cookie, tenant: b })).status).toBe(401);
		const session = await call("/get-session", { cookie: ada.cookie, tenant: b });
		expect(session.headers.get("set-auth-jwt")).toBeNull();
	});
});

describe("the key set", () => {
	it("is the same in every tenant", async () => {
		const { call, a, b, ada } = await setUp();
		await call("/token", { cookie: ada.cookie });
		const sets = [
			await call("/jwks"),
			await call("/jwks", { tenant: a }),
			await call("/jwks", { tenant: b }),
		];
		expect(sets[0]?.body.keys).toHaveLength(1);
		expect(sets[1]?.body).toEqual(sets[0]?.body);
		expect(sets[2]?.body).toEqual(sets[0]?.body);
	});
});

describe("the key set with signingKeysPerTenant", () => {
	const withOwnKeys = () => setUp({ tenants: { signingKeysPerTenant: true } });
	const kidOf = (token: string) =>
		JSON.parse(Buffer.from(String(token.split(".")[0]), "base64url").toString()).kid;

	it("is another one in every tenant and on the platform", async () => {
		const { call, a, b, ada, bob } = await withOwnKeys();
		const keysOf = async (tenant?: string) =>
			(await call("/jwks", tenant ? { tenant } : {})).body.keys.map(
				({ kid }: { kid: string }) => kid,
			);
		const ofAda = kidOf((await call("/token", { cookie: ada.cookie })).body.token);
		const ofBob = kidOf((await call("/token", { cookie: bob.cookie })).body.token);
		expect(await keysOf(a)).toEqual([ofAda]);
		expect(await keysOf(b)).toEqual([ofBob]);
		const ofPlatform = await keysOf();
		expect(ofPlatform).toHaveLength(1);
		expect(new Set([ofAda, ofBob, ...ofPlatform]).size).toBe(3);
	});

	it("is deleted with its tenant, and the others stay", async () => {
		const { call, a, b, manage, db } = await withOwnKeys();
		await call("/jwks", { tenant: a });
		const [key] = (await call("/jwks", { tenant: b })).body.keys;
		await manage("/tenant/delete", { body: { tenantId: a } });
		const rows = await db.selectFrom("jwks").select("id").execute();
		expect(rows).toEqual([{ id: key.kid }]);
	});
});

describe("a payload of the app", () => {
	it("may contain the tenant of the session", async () => {
		const { call, a, ada, read } = await setUp(
			{},
			{ jwt: { definePayload: ({ session }) => ({ tenant: session.tenantId }) } },
		);
		const { body } = await call("/token", { cookie: ada.cookie });
		const payload = await read(body.token);
		expect(payload.tenant).toBe(a);
		expect(payload).not.toHaveProperty("email");
	});
});
