import { oneTimeToken } from "better-auth/plugins";
import { describe, expect, it } from "vitest";
import type { InstanceOptions } from "../support/instance";
import { makeTwoUsers, orders, stores } from "../support/two-tenants";

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

const cases: [string, () => InstanceOptions, Options][] = [
	...orders.map(([name, order]): [string, () => InstanceOptions, Options] => [
		name,
		() => order,
		{},
	]),
	...stores.map(([name, store]): [string, () => InstanceOptions, Options] => [name, store, {}]),
	...stores.map(([name, store]): [string, () => InstanceOptions, Options] => [
		`token hashed, ${name}`,
		store,
		{ storeToken: "hashed" },
	]),
];

describe.each(cases)("a one-time token, %s", (_, options, plugin) => {
	it("gives the session that it was made for, with no header", async () => {
		const { ada, a, generate, verify, sessionOf } = await setUp(options(), plugin);
		const token = await generate(ada.cookie);
		const verified = await verify(token);
		expect(verified.body.session).toMatchObject({ tenantId: a, token: ada.body.token });
		expect((await sessionOf(verified.cookie)).user.id).toBe(ada.body.user.id);
		expect((await verify(token)).status).toBe(400);
	});

	it("does nothing in another tenant, and stays good in its own", async () => {
		const { ada, a, b, generate, verify } = await setUp(options(), plugin);
		const token = await generate(ada.cookie);
		const elsewhere = await verify(token, b);
		expect([elsewhere.status, elsewhere.cookie]).toEqual([400, ""]);
		expect((await verify(token, a)).body.session.token).toBe(ada.body.token);
	});

	it("keeps to its tenant although the browser has a session in another", async () => {
		const { ada, bob, generate, verify, sessionOf } = await setUp(options(), plugin);
		const verified = await verify(await generate(ada.cookie), undefined, bob.cookie);
		expect((await sessionOf(verified.cookie)).user.id).toBe(ada.body.user.id);
		expect((await sessionOf(bob.cookie)).user.id).toBe(bob.body.user.id);
	});

	it("is not made in B with a session of A", async () => {
		const { call, ada, b } = await setUp(options(), plugin);
		const made = await call("/one-time-token/generate", { cookie: ada.cookie, tenant: b });
		expect(made.status).toBe(401);
	});
});

describe("a one-time token in the header of a sign-in", () => {
	it.each(orders)("gives the tenant's session, %s", async (_, order) => {
		const { a, b, signIn, verify } = await setUp(order, { setOttHeaderOnNewSession: true });
		const signedIn = await signIn(a);
		const token = String(signedIn.headers.get("set-ott"));
		expect((await verify(token, b)).status).toBe(400);
		expect((await verify(token)).body.session).toMatchObject({
			tenantId: a,
			token: signedIn.body.token,
		});
	});
});
