import { defineTenantPlugin } from "better-auth-tenant";
import { describe, expect, it } from "vitest";
import { EMAIL, makeInstance, PASSWORD } from "../support/worlds/instance";

describe("a plugin that verifies passwords in a form of its own", () => {
	async function setUp(verify: (password: string) => unknown) {
		const seen: string[] = [];
		const legacy = defineTenantPlugin({
			id: "legacy",
			tenant: {
				verifyPassword: async (_, { stored, password }) => {
					seen.push(stored);
					return stored.startsWith("legacy:") ? (verify(password) as boolean) : null;
				},
			},
		});
		const app = await makeInstance({ plugins: [legacy] });
		const tenantId = await app.makeTenant();
		await app.signUp(tenantId);
		const store = (password: string) => app.db.updateTable("account").set({ password }).execute();
		const signIn = async (password: string) =>
			(await app.signIn(tenantId, { email: EMAIL, password })).status;
		return { seen, store, signIn };
	}

	it("decides about its own form, and Better Auth about all others", async () => {
		const { seen, store, signIn } = await setUp((password) => password === "an old password");
		expect([await signIn(PASSWORD), await signIn("an old password")]).toEqual([200, 401]);
		await store("legacy:1");
		expect([await signIn("an old password"), await signIn(PASSWORD)]).toEqual([200, 401]);
		expect(seen.filter((it) => it === "legacy:1")).toHaveLength(2);
	});

	it.each([["yes"], [1], [{}], [undefined]])("lets nobody in if it returns %j", async (result) => {
		const { store, signIn } = await setUp(() => result);
		await store("legacy:1");
		expect(await signIn(PASSWORD)).toBe(401);
	});
});
