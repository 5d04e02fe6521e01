import { oneTimeToken } from "better-auth/plugins";
import { describe, expect, it } from "vitest";
import type { InstanceOptions } from "../support/worlds/instance";
import { makeTwoUsers, orders, stores } from "../support/worlds/two-tenants";
import { describeVariations } from "../support/worlds/variations";
import { useWorld } from "../support/worlds/world";

type Options = Parameters<typeof oneTimeToken>[0];

async function setUp(options: InstanceOptions = {}, plugin: Options = {}) {
	const app = await makeTwoUsers({ ...options, plugins: [oneTimeToken(plugin)] });
	const generate = async (cookie: string): Promise<string> =>
		(await app.call("/one-time-token/generate", { cookie })).body.token;
	const verify = (token: string, tenant?: string, cookie = "") =>
		app.call("/one-time-token/verify", {
			cookie,
			body: { token },
			...(tenant ? { tenant } : {}),
		});
	return { ...app, generate, verify };
}

const cases: [string, () => ReturnType<typeof setUp>][] = [
	...orders.map(([name, order]): (typeof cases)[number] => [name, () => setUp(order())]),
	...stores.map(([name, store]): (typeof cases)[number] => [
		`stored ${name}`,
		() => setUp(store()),
	]),
	...stores.map(([name, store]): (typeof cases)[number] => [
		`hashed, stored ${name}`,
		() => setUp(store(), { storeToken: "hashed" }),
	]),
];

describeVariations("a one-time token, %s,", cases, (build, it) => {
	const world = useWorld(build);

	it("returns the session that it was created for, without a header", async () => {
		const { ada, a, generate, verify, sessionOf } = world();
		const token = await generate(ada.cookie);
		const verified = await verify(token);
		expect(verified.body.session).toMatchObject({ tenantId: a, token: ada.body.token });
		expect((await sessionOf(verified.cookie)).user.id).toBe(ada.body.user.id);
		expect((await verify(token)).status).toBe(400);
	});

	it("is rejected in another tenant, and stays valid in its own", async () => {
		const { ada, a, b, generate, verify } = world();
		const token = await generate(ada.cookie);
		const elsewhere = await verify(token, b);
		expect([elsewhere.status, elsewhere.cookie]).toEqual([400, ""]);
		expect((await verify(token, a)).body.session.token).toBe(ada.body.token);
	});

	it("signs in to its own tenant in a browser with a session of another one", async () => {
		const { ada, bob, generate, verify, sessionOf } = world();
		const verified = await verify(await generate(ada.cookie), undefined, bob.cookie);
		expect((await sessionOf(verified.cookie)).user.id).toBe(ada.body.user.id);
		expect((await sessionOf(bob.cookie)).user.id).toBe(bob.body.user.id);
	});

	it("cannot be created in B with a session of A", async () => {
		const { call, ada, b } = world();
		const made = await call("/one-time-token/generate", { cookie: ada.cookie, tenant: b });
		expect(made.status).toBe(401);
	});
});

describe("a one-time token in the header of a sign-in", () => {
	it.each(orders)("returns the session of the tenant, with the plugin %s", async (_, order) => {
		const { a, b, signIn, verify } = await setUp(order(), { setOttHeaderOnNewSession: true });
		const signedIn = await signIn(a);
		const token = String(signedIn.headers.get("set-ott"));
		expect((await verify(token, b)).status).toBe(400);
		expect((await verify(token)).body.session).toMatchObject({
			tenantId: a,
			token: signedIn.body.token,
		});
	});
});
