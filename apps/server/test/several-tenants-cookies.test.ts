import { describe, expect, test } from "vitest";
import { notEmpty } from "../../../testing/not-empty";
import { MAX_TENANTS } from "../src/http/tenant-cookies/open-cookies";
import { placeOf } from "../src/http/tenant-cookies/session-cookies";
import { MAX_ACCOUNTS } from "../src/rate-limits/known-callers";
import { type JarTenant, newJar, tenantWithUser } from "./cookie-jar";
import { newOperator, operatorPassword } from "./operator-accounts";
import { newUser, runningService, useService } from "./running-service";
import { temporaryDirectory } from "./temporary-directory";

const service = useService({ RATE_LIMIT_SIGN_IN: "off" });

const ACTIVE = "better-auth.session_token";
const copyOf = ({ id }: { id: string }) => `better-auth.${placeOf(id)}.session_token`;

/** The signed token that a sign-in in a browser of its own gets. */
async function tokenOf(running: Awaited<ReturnType<typeof service>>, tenant: JarTenant) {
	const jar = newJar(running);
	await jar.signIn(tenant);
	return jar.cookies.get(ACTIVE) ?? "";
}

describe("a cookie of one tenant", () => {
	const places = ["nowhere", "active", "its own copy", "the copy of the other"] as const;

	test.each(places.flatMap((ofAcme) => places.map((ofGlobex) => [ofAcme, ofGlobex] as const)))(
		"is never valid in another one: Acme's is %s, Globex's is %s",
		async (ofAcme, ofGlobex) => {
			const running = await service();
			const acme = await tenantWithUser(running);
			const globex = await tenantWithUser(running);
			const none = await tenantWithUser(running);
			const placed = [
				{ own: acme, other: globex, place: ofAcme, token: await tokenOf(running, acme) },
				{ own: globex, other: acme, place: ofGlobex, token: await tokenOf(running, globex) },
			];
			for (const named of [acme, globex, none]) {
				const jar = newJar(running);
				for (const { own, other, place, token } of placed) {
					if (place === "active") jar.cookies.set(ACTIVE, token);
					if (place === "its own copy") jar.cookies.set(copyOf(own), token);
					if (place === "the copy of the other") jar.cookies.set(copyOf(other), token);
				}
				const decides = jar.cookies.get(copyOf(named)) ?? jar.cookies.get(ACTIVE);
				const isOwn = placed.some(({ own, token }) => own === named && token === decides);
				expect(await jar.tenantOf(named)).toBe(isOwn ? named.id : null);
			}
		},
	);

	test("is not valid if it was changed", async () => {
		const running = await service();
		const acme = await tenantWithUser(running);
		const token = await tokenOf(running, acme);
		const other = await tokenOf(running, acme);
		const [value] = decodeURIComponent(token).split(".");
		const [, signature] = decodeURIComponent(other).split(".");
		for (const forged of [`${value}.${signature}`, `${value}.`, `${value}`, "%", ".", "="]) {
			const jar = newJar(running);
			jar.cookies.set(copyOf(acme), forged === "%" ? forged : encodeURIComponent(forged));
			expect(await jar.tenantOf(acme)).toBeNull();
		}
	});

	test("does not change the session of a tenant that is named by a slug or by nothing known", async () => {
		const running = await service();
		const acme = await tenantWithUser(running);
		const jar = newJar(running);
		await jar.signIn(acme);
		for (const id of [acme.slug, "unknown", "constructor", "../x"]) {
			expect((await jar.send("/get-session", { tenant: { id } })).status).toBe(404);
		}
		expect(await jar.tenantOf(acme)).toBe(acme.id);
	});
});

describe("a browser of before there were copies", () => {
	test("has its session, with and without the name of its tenant", async () => {
		const running = await service();
		const acme = await tenantWithUser(running);
		const globex = await tenantWithUser(running);
		const jar = newJar(running);
		jar.cookies.set(ACTIVE, await tokenOf(running, acme));
		expect(await jar.activeTenant()).toBe(acme.id);
		expect(await jar.tenantOf(acme)).toBe(acme.id);
		expect(await jar.tenantOf(globex)).toBeNull();
		expect(await jar.activeTenant()).toBe(acme.id);
		await jar.send("/sign-out", { tenant: acme, body: {} });
		expect(jar.sessions()).toEqual([]);
	});

	test("keeps it when somebody signs in to another tenant", async () => {
		const running = await service();
		const acme = await tenantWithUser(running);
		const globex = await tenantWithUser(running);
		const jar = newJar(running);
		jar.cookies.set(ACTIVE, await tokenOf(running, acme));
		const signedIn = await jar.signIn(globex);
		expect(await jar.tenantOf(acme)).toBe(acme.id);
		expect(await jar.tenantOf(globex)).toBe(globex.id);
		const copy = signedIn.headers.getSetCookie().find((text) => text.startsWith(copyOf(acme)));
		// It ends with the session.
		expect(Number(/Max-Age=(\d+)/.exec(copy ?? "")?.[1])).toBeGreaterThan(6 * 24 * 60 * 60);
	});

	test("keeps no copy of a session of the platform", async () => {
		const running = await service();
		const acme = await tenantWithUser(running);
		const { email } = await newOperator(running, "owner", `${acme.slug}@example.com`);
		const jar = newJar(running);
		await jar.send("/sign-in/email", { body: { email, password: operatorPassword } });
		expect(jar.sessions()).toEqual([ACTIVE]);
		await jar.signIn(acme);
		expect(jar.sessions()).toEqual([ACTIVE, copyOf(acme)]);
	});
});

describe("the cookies of a browser", () => {
	test("are those of the last tenants that it has signed in to, and fit into a header", async () => {
		const running = await service();
		const jar = newJar(running);
		const tenants: JarTenant[] = [];
		for (let n = 0; n < MAX_TENANTS + 2; n += 1) {
			const tenant = await tenantWithUser(running);
			tenants.push(tenant);
			expect((await jar.signIn(tenant, { rememberMe: false })).status).toBe(200);
		}
		const { email } = newUser("grace@example.com");
		for (let n = 0; n < MAX_ACCOUNTS; n += 1) {
			const [tenant] = tenants.slice(-1);
			const body = { ...newUser(`${n}.${email}`) };
			await jar.send("/tenant/sign-up/email", { ...(tenant ? { tenant } : {}), body });
		}
		const copies = jar.sessions().filter((name) => /\..{12}\.session_token$/.test(name));
		expect(copies).toEqual(tenants.slice(-MAX_TENANTS).map(copyOf));
		const known = [...jar.cookies.keys()].filter((name) => name.includes("known_"));
		expect(known).toHaveLength(MAX_ACCOUNTS);
		for (const [index, tenant] of notEmpty([...tenants.entries()])) {
			expect(await jar.tenantOf(tenant)).toBe(index < 2 ? null : tenant.id);
		}
		// With the prefix of https, and what other pages of the service set.
		const prefixed = jar.cookies.size * "__Secure-".length;
		expect(jar.header().length + prefixed).toBeLessThan(7000);
	});

	test("cannot be filled with copies: a sign-in removes those that are too many", async () => {
		const running = await service();
		const acme = await tenantWithUser(running);
		const jar = newJar(running);
		for (let n = 0; n < 40; n += 1) jar.cookies.set(copyOf({ id: `tenant ${n}` }), "x.y");
		await jar.signIn(acme);
		expect(jar.sessions()).toHaveLength(MAX_TENANTS + 1);
		expect(await jar.tenantOf(acme)).toBe(acme.id);
	});

	test("have the attributes of Better Auth's, over https and for a domain", async () => {
		const running = await runningService({
			BETTER_AUTH_URL: "https://auth.example.com",
			COOKIE_DOMAIN: "example.com",
		});
		const acme = await tenantWithUser(running);
		const response = await newJar(running).signIn(acme);
		const set = response.headers.getSetCookie().filter((text) => text.includes("session_token"));
		const names = set.map((text) => text.slice(0, text.indexOf("=")));
		expect(names).toEqual([`__Secure-${ACTIVE}`, `__Secure-${copyOf(acme)}`]);
		for (const text of notEmpty(set)) {
			const attributes = text.split("; ").slice(1).sort();
			expect(attributes).toEqual([
				...["Domain=example.com", "HttpOnly", "Max-Age=604800", "Path=/", "SameSite=Lax", "Secure"],
			]);
		}
	});

	test("have no copies if each tenant has a host", async () => {
		const running = await runningService({
			BETTER_AUTH_URL: "https://auth.example.com",
			TENANT_DOMAIN: "example.com",
		});
		const { id, slug } = await tenantWithUser(running);
		const { email, password } = newUser("ada@example.com");
		const url = `https://${slug}.example.com/api/auth`;
		const signedIn = await running.post(`${url}/tenant/sign-in/email`, { email, password });
		expect(signedIn.status).toBe(200);
		const set = signedIn.headers.getSetCookie().join();
		expect(set).toContain("session_token=");
		expect(set).not.toContain(placeOf(id));
	});

	test("survive a rotation of the secret", async () => {
		const DATA_DIR = temporaryDirectory();
		const first = "the first secret of the server with 32 characters: k3!hZ";
		const running = await runningService({ DATA_DIR, BETTER_AUTH_SECRET: first });
		const acme = await tenantWithUser(running);
		const globex = await tenantWithUser(running);
		const before = newJar(running);
		await before.signIn(acme);
		await before.signIn(globex);
		await running.close();
		const rotated = await runningService({
			DATA_DIR,
			BETTER_AUTH_SECRET: first,
			BETTER_AUTH_SECRETS: "2:the second secret of the server with 32 characters: 9Qd&2v",
		});
		const jar = newJar(rotated);
		for (const [name, value] of before.cookies) jar.cookies.set(name, value);
		expect(await jar.tenantOf(acme)).toBe(acme.id);
		expect(await jar.tenantOf(globex)).toBe(globex.id);
	});
});

test("a request with a copy needs an origin, as one with Better Auth's cookie", async () => {
	const running = await runningService();
	// Better Auth skips these checks in tests.
	const checks = { skipOriginCheck: false, skipCSRFCheck: false };
	Object.assign(await running.backend.auth.$context, checks);
	const acme = await tenantWithUser(running);
	const globex = await tenantWithUser(running);
	const jar = newJar(running);
	await jar.signIn(acme);
	jar.cookies.delete(ACTIVE);
	const pages: Record<string, string>[] = [
		{ origin: "https://evil.example.com" },
		{ origin: "null" },
		{ origin: "", referer: "https://evil.example.com/page" },
		{ origin: "", "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" },
	];
	for (const headers of notEmpty(pages)) {
		for (const tenant of [acme, globex]) {
			const body = { name: "Mallory" };
			const refused = await jar.send("/update-user", { tenant, body, headers });
			expect(refused.status).toBe(403);
		}
	}
	const body = { name: "Countess" };
	expect((await jar.send("/update-user", { tenant: acme, body })).status).toBe(200);
	expect((await jar.send("/update-user", { tenant: globex, body })).status).toBe(401);
});

test("the log line of a sign-in names its own tenant, also if it keeps another session", async () => {
	const running = await runningService();
	const acme = await tenantWithUser(running);
	const globex = await tenantWithUser(running);
	const jar = newJar(running);
	jar.cookies.set(ACTIVE, await tokenOf(running, acme));
	await jar.signIn(globex);
	const lines = running.logged().filter(({ route }) => route === "/api/auth/tenant/sign-in/email");
	expect(lines.map(({ tenantId }) => tenantId)).toEqual([acme.id, globex.id]);
});
