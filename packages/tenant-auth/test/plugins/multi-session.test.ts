import { multiSession } from "better-auth/plugins";
import { expect } from "vitest";
import type { Answer, InstanceOptions } from "../support/worlds/instance";
import { sessionStores } from "../support/worlds/session-stores";
import { makeTwoUsers, orders } from "../support/worlds/two-tenants";
import { describeVariations } from "../support/worlds/variations";
import { useWorld } from "../support/worlds/world";

/** The cookies of a browser. */
function makeJar(initial: Iterable<[string, string]> = []) {
	const cookies = new Map(initial);
	return {
		copy: () => makeJar(cookies),
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

/** A browser that signed in to A and then to B. */
async function setUp(options: InstanceOptions = {}) {
	const app = await makeTwoUsers({ ...options, plugins: [multiSession()] });
	const signedIn = makeJar();
	const inA = signedIn.take(await app.signIn(app.a, { cookie: signedIn.header() }));
	const inB = signedIn.take(await app.signIn(app.b, { cookie: signedIn.header() }));
	return { ...app, signedIn, tokenA: inA.body.token, tokenB: inB.body.token };
}

type World = Awaited<ReturnType<typeof setUp>>;

/** The browser of one test. */
function openBrowser(app: World) {
	const jar = app.signedIn.copy();
	const send = async (path: string, body?: object, tenant?: string) =>
		jar.take(
			await app.call(path, {
				cookie: jar.header(),
				...(body ? { body } : {}),
				...(tenant ? { tenant } : {}),
			}),
		);
	const list = async (tenant?: string) =>
		(await send("/multi-session/list-device-sessions", undefined, tenant)).body.map(
			(it: { session: { token: string } }) => it.session.token,
		);
	return { ...app, jar, send, list };
}

const cases: [string, () => InstanceOptions][] = [...sessionStores, ...orders];

describeVariations("a browser with sessions of two tenants, stored %s,", cases, (options, it) => {
	const world = useWorld(() => setUp(options()));

	it("lists the sessions of the tenant that it names, or of its active session", async () => {
		const { list, a, b, tokenA, tokenB } = openBrowser(world());
		expect(await list()).toEqual([tokenB]);
		expect(await list(a)).toEqual([tokenA]);
		expect(await list(b)).toEqual([tokenB]);
	});

	it("switches to a session of another tenant if it names that tenant", async () => {
		const { send, a, ada, tokenA, list } = openBrowser(world());
		const unnamed = await send("/multi-session/set-active", { sessionToken: tokenA });
		expect(unnamed.status).toBe(401);
		const named = await send("/multi-session/set-active", { sessionToken: tokenA }, a);
		expect(named.body.session).toMatchObject({ token: tokenA, tenantId: a });
		expect((await send("/get-session")).body.user.id).toBe(ada.body.user.id);
		expect(await list()).toEqual([tokenA]);
	});

	it("cannot revoke a session of another tenant", async () => {
		const { send, list, a, tokenA, tokenB } = openBrowser(world());
		await send("/multi-session/revoke", { sessionToken: tokenA });
		expect(await list(a)).toEqual([tokenA]);
		const revoked = await send("/multi-session/revoke", { sessionToken: tokenB });
		expect(revoked.status).toBe(200);
		expect((await send("/get-session")).body).toBeNull();
		expect(await list(a)).toEqual([tokenA]);
	});

	it("signs out of its tenant, and keeps the session of the other one", async () => {
		const { send, list, jar, a, b, tokenA, sessionOf } = openBrowser(world());
		await send("/sign-out", {});
		expect((await send("/get-session")).body).toBeNull();
		expect(await list(b)).toEqual([]);
		expect(jar.names().some((name) => name.endsWith("session_data"))).toBe(false);
		expect(await list(a)).toEqual([tokenA]);
		await send("/multi-session/set-active", { sessionToken: tokenA }, a);
		expect((await sessionOf(jar.header())).session.tenantId).toBe(a);
	});

	it("signs out all its users of the tenant", async () => {
		const { send, jar, b, sessionOf } = openBrowser(world());
		// A cached session is valid until its cookie expires.
		const uncached = () => jar.header().replaceAll(/[^ ]*session_data[^;]*;? ?/g, "");
		const asFirst = uncached();
		const another = {
			tenantId: b,
			name: "Lin",
			email: "lin@example.com",
			password: "long enough",
		};
		expect((await send("/tenant/sign-up/email", another)).status).toBe(200);
		const asSecond = uncached();
		expect((await sessionOf(asFirst)).user.email).not.toBe(another.email);
		expect((await sessionOf(asSecond)).user.email).toBe(another.email);
		await send("/sign-out", {});
		expect(await sessionOf(asFirst)).toBeNull();
		expect(await sessionOf(asSecond)).toBeNull();
	});

	it("signs out of the other tenant if it names it, and keeps its active session", async () => {
		const { send, list, a, tokenB } = openBrowser(world());
		await send("/sign-out", {}, a);
		expect((await send("/get-session")).body.session.token).toBe(tokenB);
		expect(await list(a)).toEqual([]);
	});
});
