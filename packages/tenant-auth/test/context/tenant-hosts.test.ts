import { createAuthMiddleware } from "better-auth/api";
import { anonymous, magicLink } from "better-auth/plugins";
import { tenantHosts } from "better-auth-tenant";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { makeMemoryStorage } from "../support/databases/memory-storage";
import { cheapPasswords } from "../support/worlds/cheap-passwords";
import {
	EMAIL,
	type InstanceOptions,
	MANAGEMENT_KEY,
	makeInstance,
	ORIGIN,
	PASSWORD,
} from "../support/worlds/instance";
import { useWorld } from "../support/worlds/world";

const ACME = "http://acme.localhost:3000";
const GLOBEX = "http://globex.localhost:3000";
const CUSTOM = "http://login.acme.example:3000";

const user = { name: "Ada", email: EMAIL, password: PASSWORD };
const credentials = { email: EMAIL, password: PASSWORD };

/** Acme and Globex, each with a user of the same email, and a platform user with that email too. */
async function makeWorld({ tenants, advanced, ...options }: InstanceOptions = {}) {
	const links: string[] = [];
	const send = async ({ url }: { url: string }) => void links.push(url);
	const custom: Record<string, string> = { "login.acme.example": "acme" };
	const hosts = tenantHosts({
		domain: "localhost:3000",
		platformHosts: ["www.localhost:3000"],
		findTenant: (name) => (custom[name] ? { slug: custom[name] } : null),
	});
	const app = await makeInstance({
		tenants: { hosts, ...tenants },
		emailAndPassword: { ...cheapPasswords, enabled: true, sendResetPassword: send },
		emailVerification: { sendVerificationEmail: send },
		user: {
			changeEmail: { enabled: true, sendChangeEmailConfirmation: send },
			deleteUser: { enabled: true, sendDeleteAccountVerification: send },
		},
		socialProviders: { github: { clientId: "client", clientSecret: "secret" } },
		plugins: [magicLink({ sendMagicLink: send })],
		...options,
		...(advanced ? { advanced } : {}),
	});
	const at = (origin: string, path: string, given: Parameters<typeof app.call>[1] = {}) =>
		app.call(`${origin}/api/auth${path}`, {
			...given,
			headers: { ...(given.cookie ? { origin } : {}), ...given.headers },
		});
	const acme = await app.makeTenant("acme");
	const globex = await app.makeTenant("globex");
	const { cookie: ofAcme } = await at(ACME, "/tenant/sign-up/email", { body: user });
	const { cookie: ofGlobex } = await at(GLOBEX, "/sign-up/email", { body: user });
	const { cookie: ofPlatform } = await at(ORIGIN, "/sign-up/email", { body: user });
	links.length = 0;
	return { ...app, hosts, at, acme, globex, ofAcme, ofGlobex, ofPlatform, links };
}

type World = Awaited<ReturnType<typeof makeWorld>>;

const statusAndCode = ({ status, body }: { status: number; body: { code?: string } }) => [
	status,
	body?.code ?? null,
];

describe("tenantHosts()", () => {
	const hosts = tenantHosts({ domain: "Example.com", platformHosts: ["auth.example.com"] });

	it.each([
		["acme.example.com", { slug: "acme" }],
		["ACME.Example.COM", { slug: "acme" }],
		["acme.example.com:443", { slug: "acme" }],
		["xn--caf-dma.example.com", { slug: "xn--caf-dma" }],
		["example.com", null],
		["EXAMPLE.com:443", null],
		["auth.example.com", null],
		["acme.example.com:80", false],
		["acme.example.com:8443", false],
		["example.com:8443", false],
		["acme.example.com.", false],
		["example.com.", false],
		["a.b.example.com", false],
		[".example.com", false],
		["-acme.example.com", false],
		["a.example.com", false],
		["my-example.com", false],
		["example.com.evil.com", false],
		["acme.example.com@evil.com", false],
		["evil.com/acme.example.com", false],
		["acme.example.com, evil.com", false],
		["%61cme.example.com", false],
		["café.example.com", false],
		["acme_1.example.com", false],
		["127.0.0.1", false],
		["0x7f.1", false],
		["[::1]", false],
		["[::1]:443", false],
		["localhost", false],
		["", false],
		[`${"a".repeat(64)}.example.com`, false],
		[`${"a.".repeat(200)}example.com`, false],
	])("says of %j: %j", async (host, answer) => {
		expect(await hosts.resolve(host)).toEqual(answer);
	});

	it("asks for other names in lowercase and without the port, but not for IP addresses", async () => {
		const asked: string[] = [];
		const custom = tenantHosts({
			domain: "example.com:8443",
			findTenant: (name) => {
				asked.push(name);
				return name === "login.acme.com" ? "1" : "";
			},
		});
		expect(await custom.resolve("Login.Acme.com:8443")).toBe("1");
		expect(await custom.resolve("login.globex.com:8443")).toBe(false);
		for (const host of [
			"login.acme.com",
			"login.acme.com:443",
			"login.acme.com.:8443",
			"10.0.0.1:8443",
			"[::1]:8443",
			"a.b.example.com:8443",
		]) {
			expect([host, await custom.resolve(host)]).toEqual([host, false]);
		}
		expect(asked).toEqual(["login.acme.com", "login.globex.com"]);
	});

	it("knows the base URL, the origin of a tenant and the slug of a host", () => {
		expect(hosts.baseURL).toEqual({
			allowedHosts: ["auth.example.com", "example.com", "*.example.com"],
			protocol: "https",
			fallback: "https://auth.example.com",
		});
		expect(tenantHosts({ domain: "localhost:3000" }).baseURL).toMatchObject({
			protocol: "http",
			fallback: "http://localhost:3000",
		});
		expect(hosts.originOf("acme")).toBe("https://acme.example.com");
		expect(hosts.slugOf("acme.example.com")).toBe("acme");
		for (const host of ["auth.example.com", "example.com", "a.b.example.com", "evil.com"]) {
			expect([host, hosts.slugOf(host)]).toEqual([host, null]);
		}
		expect(hosts.isPlatformHost("example.com")).toBe(true);
		expect(hosts.isPlatformHost("a.b.example.com")).toBe(false);
		expect(hosts.reservedSlugs).toEqual(["auth"]);
	});

	it.each([
		["https://example.com", "is not a host"],
		["example.com/", "is not a host"],
		["*.example.com", "is not a host"],
		["", "is not a host"],
		["127.0.0.1:3000", "is an IP address"],
		["[::1]", "is an IP address"],
	])("rejects the domain %j", (domain, message) => {
		expect(() => tenantHosts({ domain })).toThrow(message);
	});
});

describe("with tenants by host name", () => {
	const world = useWorld(() => makeWorld());

	it.each([ACME, CUSTOM, "http://ACME.localhost:3000"])(
		"%s is the host of the tenant, whatever the header names",
		async (origin) => {
			const { at, acme, globex, ofAcme } = world();
			const { body } = await at(origin, "/tenant/sign-in/email", {
				body: credentials,
				tenant: globex,
			});
			expect(body.session.tenantId).toBe(acme);
			const read = await at(origin, "/get-session", { cookie: ofAcme, tenant: globex });
			expect(read.body.session.tenantId).toBe(acme);
		},
	);

	it("a request at a tenant's host reads the tenant once", async () => {
		const { at, statements, ofAcme } = world();
		const reads = () => statements.filter((sql) => / from "tenant" /.test(sql)).length;
		for (const [path, given] of [
			["/get-session", { cookie: ofAcme }],
			["/sign-in/email", { body: credentials }],
			["/tenant/sign-in/email", { body: credentials }],
		] as const) {
			statements.length = 0;
			expect((await at(ACME, path, given)).status).toBe(200);
			expect([path, reads()]).toEqual([path, 1]);
		}
	});

	it.each([
		"http://nobody.localhost:3000",
		"http://a.acme.localhost:3000",
		"http://acme.localhost.:3000",
		"http://acme.localhost:4000",
		"http://acme.localhost",
		"http://login.unknown.example:3000",
		"http://login.acme.example",
		"http://127.0.0.1:3000",
		"http://[::1]:3000",
		"http://evil.example",
	])("%s is no host of a tenant: 404, never the platform", async (origin) => {
		const { at, db, acme, manage, ofPlatform } = world();
		const users = await db.selectFrom("user").select("id").execute();
		const answers = [
			await at(origin, "/get-session", { cookie: ofPlatform }),
			await at(origin, "/sign-in/email", { body: credentials }),
			await at(origin, "/sign-up/email", { body: { ...user, email: "new@example.com" } }),
			await at(origin, "/tenant/sign-in/email", { body: { ...credentials, tenantId: acme } }),
			await at(origin, "/tenant/login-options", { query: { slug: "acme" } }),
			await at(origin, "/callback/github", { query: { state: "state", code: "code" } }),
			await at(origin, "/tenant/callback/github", { query: { state: "state", code: "code" } }),
			await at(origin, "/ok"),
			await manage(`${origin}/api/auth/tenant/list`),
		];
		for (const answer of notEmpty(answers)) {
			expect(statusAndCode(answer)).toEqual([404, "TENANT_NOT_FOUND"]);
		}
		expect(await db.selectFrom("user").select("id").execute()).toHaveLength(users.length);
	});

	it.each([ORIGIN, "http://www.localhost:3000"])("%s belongs to the platform", async (origin) => {
		const { at, acme } = world();
		const platform = await at(origin, "/sign-in/email", { body: credentials });
		expect(platform.body.user.tenantId).toBeNull();
		const named = await at(origin, "/sign-in/email", { body: credentials, tenant: acme });
		expect(named.body.user.tenantId).toBe(acme);
	});

	it("at the host of one tenant, other tenants do not exist", async () => {
		const { at, acme, globex } = world();
		const headers = { authorization: `Bearer ${MANAGEMENT_KEY}` };
		const other = { tenantId: globex };
		const notFound = [404, "TENANT_NOT_FOUND"];
		for (const path of ["/tenant/suspend", "/tenant/delete", "/tenant/update"]) {
			const body = path.endsWith("update") ? { ...other, name: "x" } : other;
			expect(statusAndCode(await at(ACME, path, { headers, body }))).toEqual(notFound);
		}
		for (const path of [
			`/tenant/user/list?tenantId=${globex}`,
			`/tenant/get?id=${globex}`,
			"/tenant/get?slug=globex",
			"/tenant/login-options?slug=globex",
			`/tenant/login-options?tenantId=${globex}`,
		]) {
			expect(statusAndCode(await at(ACME, path, { headers }))).toEqual(notFound);
		}
		const signIn = { ...credentials, ...other };
		expect(statusAndCode(await at(ACME, "/tenant/sign-in/email", { body: signIn }))).toEqual(
			notFound,
		);
		for (const path of [
			`/tenant/get?id=${acme}`,
			"/tenant/login-options?slug=acme",
			"/tenant/login-options",
		]) {
			expect((await at(ACME, path, { headers })).status).toBe(200);
		}
		const read = await at(ORIGIN, `/tenant/get?id=${globex}`, { headers });
		expect([read.status, read.body.suspendedAt, read.body.name]).toEqual([
			200,
			undefined,
			"globex",
		]);
	});

	it("the name of a platform host is not a slug", async () => {
		const { manage, at } = world();
		const { hosts } = await makeWorld({
			tenants: { hosts: tenantHosts({ domain: "localhost:3000" }) },
		});
		expect(hosts.reservedSlugs).toEqual(["www"]);
		const { body } = await manage("/tenant/create", { body: { name: "x", slug: "www" } });
		expect(body.code).toBe("SLUG_RESERVED");
		expect((await at("http://www.localhost:3000", "/ok")).status).toBe(200);
	});

	it("a session of one tenant is nobody at the host of another, and stays valid at its own", async () => {
		const { at, acme, ofAcme, ofPlatform } = world();
		for (const cookie of [ofAcme, ofPlatform]) {
			const read = await at(GLOBEX, "/get-session", { cookie });
			expect(read.body).toBeNull();
			expect(read.headers.getSetCookie()).toEqual([]);
			const changed = await at(GLOBEX, "/update-user", { cookie, body: { name: "x" } });
			expect(changed.status).toBe(401);
		}
		const own = await at(ACME, "/get-session", { cookie: ofAcme });
		expect(own.body.session.tenantId).toBe(acme);
	});

	describe("in auth.api, with the headers of a request", () => {
		const read = (headers: Record<string, string>) =>
			world().auth.api.getSession({ headers: new Headers(headers) });

		it("another tenant's session is not accepted", async () => {
			const { ofAcme, acme } = world();
			const own = await read({ cookie: ofAcme, host: "acme.localhost:3000" });
			expect(own?.user).toMatchObject({ tenantId: acme });
			expect(await read({ cookie: ofAcme, host: "globex.localhost:3000" })).toBeNull();
		});

		it("an unknown host is refused", async () => {
			const { ofPlatform } = world();
			for (const host of ["nobody.localhost:3000", "evil.example", "acme.localhost.:3000", "ü"]) {
				await expect(read({ cookie: ofPlatform, host })).rejects.toMatchObject({
					body: { code: "TENANT_NOT_FOUND" },
				});
			}
		});

		it("a session without a host is an error, and not accepted", async () => {
			const { ofAcme, acme } = world();
			await expect(read({ cookie: ofAcme })).rejects.toThrow("these headers have a session but no");
			const named = await read({ cookie: ofAcme, "x-tenant-id": acme });
			expect(named?.user).toMatchObject({ tenantId: acme });
			expect(await read({})).toBeNull();
		});
	});

	it("x-forwarded-host does not count", async () => {
		const { at, acme } = world();
		const headers = { "x-forwarded-host": "globex.localhost:3000", "x-forwarded-proto": "http" };
		const { body } = await at(ACME, "/sign-in/email", { body: credentials, headers });
		expect(body.user.tenantId).toBe(acme);
		const unknown = { "x-forwarded-host": "acme.localhost:3000" };
		const refused = await at("http://nobody.localhost:3000", "/get-session", { headers: unknown });
		expect(refused.status).toBe(404);
	});

	it("the Host header counts before the URL, as in the links of Better Auth", async () => {
		const { at, links, acme } = world();
		const headers = { host: "acme.localhost:3000" };
		const { body } = await at(GLOBEX, "/sign-in/email", { body: credentials, headers });
		expect(body.user.tenantId).toBe(acme);
		await at(GLOBEX, "/request-password-reset", { body: { email: EMAIL }, headers });
		expect(links[0]).toMatch(/^http:\/\/acme\.localhost:3000\/api\/auth\/reset-password\//);
	});
});

describe("a tenant's host", () => {
	const world = useWorld(() =>
		makeWorld({ trustedOrigins: ["https://app.example.com", "myapp://"] }),
	);

	const foreign = [
		`${GLOBEX}/x`,
		`${ORIGIN}/x`,
		`${CUSTOM}/x`,
		"http://a.acme.localhost:3000/x",
		"http://acme.localhost:4000/x",
		"https://acme.localhost:3000/x",
		"http://acme.localhost:3000@globex.localhost:3000/x",
		"//globex.localhost:3000/x",
		"https://evil.example/x",
	];

	it.each([
		["/request-password-reset", "redirectTo", "INVALID_REDIRECT_URL"],
		["/sign-up/email", "callbackURL", "INVALID_CALLBACK_URL"],
		["/sign-in/email", "callbackURL", "INVALID_CALLBACK_URL"],
		["/tenant/sign-in/email", "callbackURL", "INVALID_CALLBACK_URL"],
		["/send-verification-email", "callbackURL", "INVALID_CALLBACK_URL"],
		["/sign-in/social", "callbackURL", "INVALID_CALLBACK_URL"],
		["/tenant/sign-in/social", "callbackURL", "INVALID_CALLBACK_URL"],
		["/tenant/sign-in/social", "errorCallbackURL", "INVALID_ERROR_CALLBACK_URL"],
		["/sign-in/social", "newUserCallbackURL", "INVALID_NEW_USER_CALLBACK_URL"],
		["/link-social", "errorCallbackURL", "INVALID_ERROR_CALLBACK_URL"],
		["/change-email", "callbackURL", "INVALID_CALLBACK_URL"],
		["/delete-user", "callbackURL", "INVALID_CALLBACK_URL"],
		["/sign-in/magic-link", "callbackURL", "INVALID_CALLBACK_URL"],
		["/sign-in/magic-link", "newUserCallbackURL", "INVALID_NEW_USER_CALLBACK_URL"],
		["/sign-in/magic-link", "errorCallbackURL", "INVALID_ERROR_CALLBACK_URL"],
	])("%s does not lead to another host by %s", async (path, field, code) => {
		const { at, ofAcme, links } = world();
		for (const target of notEmpty(foreign)) {
			const body = { ...user, newEmail: "new@example.com", provider: "github", [field]: target };
			const answer = await at(ACME, path, { body, cookie: ofAcme });
			expect([target, ...statusAndCode(answer)]).toEqual([target, 403, code]);
		}
		expect(links).toEqual([]);
	});

	it.each([
		"/reset-password/token",
		"/verify-email",
		"/delete-user/callback",
		"/magic-link/verify",
	])("a link to %s does not lead to another host", async (path) => {
		const { at } = world();
		for (const callbackURL of notEmpty(foreign)) {
			const answer = await at(ACME, path, { query: { token: "token", callbackURL } });
			expect([callbackURL, answer.status]).toEqual([callbackURL, 403]);
		}
	});

	it.each(["/x", `${ACME}/x`, "https://app.example.com/x", "myapp://x"])(
		"a reset link with %s leads there with its token",
		async (redirectTo) => {
			const { at, call, links } = world();
			const body = { email: EMAIL, redirectTo };
			expect((await at(ACME, "/request-password-reset", { body })).status).toBe(200);
			const { headers } = await call(links[0] ?? "");
			const page = new URL(headers.get("location") ?? "", ACME);
			expect(page.searchParams.get("token")).toBeTruthy();
			expect(page.href.split("?")[0]).toBe(new URL(redirectTo, ACME).href);
		},
	);

	it("its own pages and trusted origins may change something there, no others", async () => {
		const { at, ofAcme } = world();
		const change = async (origin: string) =>
			at(ACME, "/update-user", { cookie: ofAcme, body: { name: "Countess" }, headers: { origin } });
		for (const origin of [ACME, "https://app.example.com"]) {
			expect([origin, (await change(origin)).status]).toEqual([origin, 200]);
		}
		for (const target of notEmpty(foreign.filter((target) => URL.canParse(target)))) {
			const { origin } = new URL(target);
			const answer = await change(origin);
			expect([origin, ...statusAndCode(answer)]).toEqual([origin, 403, "INVALID_ORIGIN"]);
		}
	});

	it("a page of another tenant may not sign in there, with cookies or without", async () => {
		const { at } = world();
		for (const path of ["/sign-in/email", "/tenant/sign-in/email", "/sign-in/magic-link"]) {
			const headers = { origin: GLOBEX };
			const answer = await at(ACME, path, { body: credentials, headers });
			expect([path, ...statusAndCode(answer)]).toEqual([path, 403, "INVALID_ORIGIN"]);
		}
	});

	it("nor at an endpoint where Better Auth does not check the origin", async () => {
		const { at } = await makeWorld({ plugins: [anonymous()] });
		const signInFrom = (origin: string) =>
			at(ACME, "/sign-in/anonymous", { body: {}, headers: { origin } });
		expect(statusAndCode(await signInFrom(GLOBEX))).toEqual([403, "INVALID_ORIGIN"]);
		expect((await signInFrom(ACME)).status).toBe(200);
	});

	it("the same holds for requests that the app passes to auth.api itself", async () => {
		const { auth } = world();
		const query = { token: "token", callbackURL: `${GLOBEX}/x` };
		const request = new Request(`${ACME}/api/auth/verify-email`);
		const headers = request.headers;
		const answer = await auth.api.verifyEmail({ query, request, headers, asResponse: true });
		expect(answer.status).toBe(403);
	});

	it("links, redirect URIs and cookies use the host of the request", async () => {
		const { at, links } = world();
		for (const origin of [ACME, CUSTOM, ORIGIN]) {
			links.length = 0;
			const signedIn = await at(origin, "/sign-in/email", { body: credentials });
			for (const cookie of notEmpty(signedIn.headers.getSetCookie()))
				expect(cookie).not.toMatch(/domain=/i);
			await at(origin, "/request-password-reset", { body: { email: EMAIL } });
			await at(origin, "/sign-in/magic-link", { body: { email: EMAIL } });
			await at(origin, "/send-verification-email", { body: { email: EMAIL } });
			expect(links.map((link) => new URL(link).origin)).toEqual([origin, origin, origin]);
			const { body } = await at(origin, "/sign-in/social", { body: { provider: "github" } });
			const redirectURI = new URL(body.url).searchParams.get("redirect_uri");
			expect(new URL(redirectURI ?? "").origin).toBe(origin);
		}
	});

	it("a link of one tenant does nothing at the host of another", async () => {
		const { at, call, links } = world();
		await at(ACME, "/sign-in/magic-link", { body: { email: EMAIL } });
		const link = links[0] ?? "";
		const elsewhere = await call(link.replace(ACME, GLOBEX));
		expect(elsewhere.headers.get("location")).toContain("error=INVALID_TOKEN");
		expect(elsewhere.cookie).toBe("");
		expect((await call(link)).cookie).toContain("session_token");
	});

	it.each(["/sign-in/social", "/tenant/sign-in/social"])(
		"a flow of %s that began at one host does not finish at that of another tenant",
		async (path) => {
			const finish = await beginFlow(world(), ACME, path);
			const elsewhere = await finish(GLOBEX);
			expect(elsewhere.headers.get("location")).toMatch(
				/^http:\/\/globex\.localhost:3000\/api\/auth\/error\?error=(state_mismatch|please_restart)/,
			);
			expect(statusAndCode(await finish("http://nobody.localhost:3000"))).toEqual([
				404,
				"TENANT_NOT_FOUND",
			]);
			const { headers } = await finish(ACME);
			expect(headers.get("location")).toContain("/failed?error=access_denied");
		},
	);
});

/** Begins a social sign-in. The returned function goes to the callback at a host. */
async function beginFlow({ at, call }: World, origin: string, path: string) {
	const body = { provider: "github", errorCallbackURL: "/failed" };
	const started = await at(origin, path, { body });
	const url = new URL(started.body.url);
	const callback = new URL(url.searchParams.get("redirect_uri") ?? "");
	callback.searchParams.set("state", url.searchParams.get("state") ?? "");
	return (host: string, result = "error=access_denied") =>
		call(`${callback.href.replace(origin, host)}&${result}`, { cookie: started.cookie });
}

it.each<[string, () => InstanceOptions]>([
	["in a cookie", () => ({ account: { storeStateStrategy: "cookie" } })],
	["in a secondary storage", () => ({ secondaryStorage: makeMemoryStorage() })],
])("with the state %s, a flow does not finish at another host either", async (_, options) => {
	const app = await makeWorld(options());
	const fetched = vi.spyOn(globalThis, "fetch").mockImplementation(async () => Response.error());
	onTestFinished(() => fetched.mockRestore());
	for (const [origin, path] of [
		[ACME, "/sign-in/social"],
		[ACME, "/tenant/sign-in/social"],
		[ORIGIN, "/sign-in/social"],
	] as const) {
		const finish = await beginFlow(app, origin, path);
		await finish(GLOBEX, "code=code");
		expect(fetched).not.toHaveBeenCalled();
		await finish(origin, "code=code");
		expect(fetched).toHaveBeenCalledOnce();
		fetched.mockClear();
	}
});

it("with trustedProxyHeaders, x-forwarded-host names the tenant", async () => {
	const { at, acme, links } = await makeWorld({
		advanced: { trustedProxyHeaders: true, disableOriginCheck: false, disableCSRFCheck: false },
	});
	const behind = (host: string) => ({
		"x-forwarded-host": host,
		host: "10.0.0.7:8080",
	});
	const headers = behind("acme.localhost:3000");
	const inner = "http://10.0.0.7:8080";
	const { body } = await at(inner, "/sign-in/email", { body: credentials, headers });
	expect(body.user.tenantId).toBe(acme);
	await at(inner, "/request-password-reset", { body: { email: EMAIL }, headers });
	expect(new URL(links[0] ?? "").origin).toBe(ACME);
	for (const host of ["nobody.localhost:3000", "acme.localhost:3000, evil.example", "a..b"]) {
		const answer = await at(inner, "/get-session", { headers: behind(host) });
		expect([host, ...statusAndCode(answer)]).toEqual([host, 404, "TENANT_NOT_FOUND"]);
	}
});

it("with crossSubDomainCookies, a session of one tenant is nobody at the host of another", async () => {
	const { at, acme, ofAcme, ofPlatform, auth } = await makeWorld({
		session: { cookieCache: { enabled: true } },
		advanced: {
			crossSubDomainCookies: { enabled: true, domain: "localhost" },
			disableOriginCheck: false,
			disableCSRFCheck: false,
		},
	});
	for (const cookie of [ofAcme, ofPlatform]) {
		expect((await at(GLOBEX, "/get-session", { cookie })).body).toBeNull();
		const headers = new Headers({ cookie, host: "globex.localhost:3000" });
		expect(await auth.api.getSession({ headers })).toBeNull();
		const { status } = await at(GLOBEX, "/update-user", { cookie, body: { name: "x" } });
		expect(status).toBe(401);
	}
	const own = await at(ACME, "/get-session", { cookie: ofAcme });
	expect(own.body.session.tenantId).toBe(acme);
});

it("a hook that calls auth.api with the headers of the request stays in the tenant", async () => {
	const seen: unknown[] = [];
	const app = await makeWorld({
		hooks: {
			after: createAuthMiddleware(async (ctx) => {
				if (ctx.path !== "/update-user" || !ctx.headers) return;
				const found = await app.auth.api.getSession({ headers: ctx.headers });
				seen.push(found?.user);
			}),
		},
	});
	const { at, acme, ofAcme } = app;
	await at(ACME, "/update-user", { cookie: ofAcme, body: { name: "Countess" } });
	expect(seen).toMatchObject([{ tenantId: acme }]);
});
