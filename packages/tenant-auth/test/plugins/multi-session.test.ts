import { multiSession } from "better-auth/plugins";
import { describe, expect, it } from "vitest";
import type { Answer, InstanceOptions } from "../support/instance";
import { sessionStores } from "../support/session-stores";
import { makeTwoUsers, orders } from "../support/two-tenants";

/** A browser: it keeps what answers set and drops what they delete. */
function makeJar() {
	const cookies = new Map<string, string>();
	return {
		header: () => [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
		names: () => [...cookies.keys()],
		take(answer: Answer) {
			for (const line of answer.headers.getSetCookie()) {
				const [pair = ""] = line.split(";");
				const name = pair.slice(0, pair.indexOf("="));
				if (/max-age=0/i.test(line)) cookies.delete(name);
				else cookies.set(name, pair.slice(name.length + 1));
			}
			return answer;
		},
	};
}

/** One browser that is signed in to A and then to B. */
async function setUp(options: InstanceOptions = {}) {
	const app = await makeTwoUsers({ ...options, plugins: [multiSession()] });
	const jar = makeJar();
	const send = async (path: string, body?: object, tenant?: string) =>
		jar.take(
			await app.call(path, {
				cookie: jar.header(),
				...(body ? { body } : {}),
				...(tenant ? { tenant } : {}),
			}),
		);
	const inA = jar.take(await app.signIn(app.a, jar.header()));
	const inB = jar.take(await app.signIn(app.b, jar.header()));
	const list = async (tenant?: string) =>
		(await send("/multi-session/list-device-sessions", undefined, tenant)).body.map(
			(it: { session: { token: string } }) => it.session.token,
		);
	return { ...app, jar, send, list, tokenA: inA.body.token, tokenB: inB.body.token };
}

const cases = [
	...sessionStores.map(([name, store]) => [name, store] as const),
	...orders.map(([name, order]) => [name, () => order] as const),
] as [string, () => InstanceOptions][];

describe.each(cases)("one browser in two tenants, its sessions %s", (_, options) => {
	it("sees the sessions of the tenant that it is in, or names", async () => {
		const { list, a, b, tokenA, tokenB } = await setUp(options());
		expect(await list()).toEqual([tokenB]);
		expect(await list(a)).toEqual([tokenA]);
		expect(await list(b)).toEqual([tokenB]);
	});

	it("changes to another tenant's session by naming the tenant", async () => {
		const { send, a, ada, tokenA, list } = await setUp(options());
		const unnamed = await send("/multi-session/set-active", { sessionToken: tokenA });
		expect(unnamed.status).toBe(401);
		const named = await send("/multi-session/set-active", { sessionToken: tokenA }, a);
		expect(named.body.session).toMatchObject({ token: tokenA, tenantId: a });
		expect((await send("/get-session")).body.user.id).toBe(ada.body.user.id);
		expect(await list()).toEqual([tokenA]);
	});

	it("revokes no session of a tenant that it is not in", async () => {
		const { send, list, a, tokenA, tokenB } = await setUp(options());
		await send("/multi-session/revoke", { sessionToken: tokenA });
		expect(await list(a)).toEqual([tokenA]);
		const revoked = await send("/multi-session/revoke", { sessionToken: tokenB });
		expect(revoked.status).toBe(200);
		expect((await send("/get-session")).body).toBeNull();
		expect(await list(a)).toEqual([tokenA]);
	});

	it("signs out of its tenant completely, and keeps the other's session", async () => {
		const { send, list, jar, a, b, tokenA, sessionOf } = await setUp(options());
		await send("/sign-out", {});
		expect((await send("/get-session")).body).toBeNull();
		expect(await list(b)).toEqual([]);
		expect(jar.names().some((name) => name.endsWith("session_data"))).toBe(false);
		expect(await list(a)).toEqual([tokenA]);
		await send("/multi-session/set-active", { sessionToken: tokenA }, a);
		expect((await sessionOf(jar.header())).session.tenantId).toBe(a);
	});

	it("signs everybody out who was in the tenant with it", async () => {
		const { send, jar, b, sessionOf } = await setUp(options());
		// A cached session would count until its cookie is too old.
		const uncached = () => jar.header().replaceAll(/[^ ]*session_data[^;]*;? ?/g, "");
		const asFirst = uncached();
		const another = { tenantId: b, name: "Lin", email: "lin@example.com", password: "long enough" };
		expect((await send("/tenant/sign-up/email", another)).status).toBe(200);
		const asSecond = uncached();
		expect((await sessionOf(asFirst)).user.email).not.toBe(another.email);
		expect((await sessionOf(asSecond)).user.email).toBe(another.email);
		await send("/sign-out", {});
		expect(await sessionOf(asFirst)).toBeNull();
		expect(await sessionOf(asSecond)).toBeNull();
	});

	it("signs out of the other tenant, when it names it, without leaving its own", async () => {
		const { send, list, a, tokenB } = await setUp(options());
		await send("/sign-out", {}, a);
		expect((await send("/get-session")).body.session.token).toBe(tokenB);
		expect(await list(a)).toEqual([]);
	});
});
