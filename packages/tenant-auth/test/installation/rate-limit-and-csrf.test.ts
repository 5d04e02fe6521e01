import type { BetterAuthPlugin } from "better-auth";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { stopClock } from "../../../../testing/stopped-clock";
import { makeMemoryStorage } from "../support/databases/memory-storage";
import {
	type Answer,
	type InstanceOptions,
	makeInstance,
	ORIGIN,
} from "../support/worlds/instance";

type Headers = Record<string, string>;
type CustomRules = NonNullable<NonNullable<InstanceOptions["rateLimit"]>["customRules"]>;
type Host = Awaited<ReturnType<typeof makeHost>>;

const password = "correct horse battery";
const email = "ada@example.com";
const socialProviders = { github: { clientId: "hosts-client", clientSecret: "hosts-secret" } };
const unique = () => Math.random().toString(36).slice(2, 12);
const EVIL = "https://evil.example";

/** Core's path, ours, and what both are sent. */
const PAIRS: [core: string, ours: string, body: () => Record<string, unknown>][] = [
	["/sign-in/email", "/tenant/sign-in/email", () => ({ email, password })],
	[
		"/sign-up/email",
		"/tenant/sign-up/email",
		() => ({ name: "User", email: `${unique()}@example.com`, password }),
	],
	["/sign-in/social", "/tenant/sign-in/social", () => ({ provider: "github" })],
];

async function makeHost(options: Parameters<typeof makeInstance>[0] = {}) {
	const instance = await makeInstance({ socialProviders, ...options });
	const tenantId = await instance.makeTenant();
	await instance.call("/sign-up/email", {
		body: { name: "Ada", email, password },
		headers: { "x-forwarded-for": "198.51.100.1" },
	});
	await instance.signUp(tenantId, email, password);
	return { ...instance, tenantId };
}

const addressOf = (index: number) => `203.0.113.${index}`;
const statusAndCode = ({ status, body }: Answer) => [status, body.code ?? body.message ?? null];

describe("the rate limit", () => {
	let host: Host;
	let addresses = 0;

	beforeEach(stopClock);
	beforeAll(async () => {
		host = await makeHost({ rateLimit: { enabled: true } });
	});

	const nextAddress = () => addressOf(++addresses);

	function post(path: string, body: object, address: string, rest: { tenant?: string } = {}) {
		return host.call(path, { body, headers: { "x-forwarded-for": address }, ...rest });
	}

	it.each(PAIRS)("is one for %s with the header and for %s", async (core, ours, body) => {
		const address = nextAddress();
		const tenant = host.tenantId;
		const answers: Answer[] = [];
		for (const path of [core, ours, core, ours, core]) {
			answers.push(await post(path, body(), address, { tenant }));
		}
		expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429]);
		const [atOurs, atCores] = answers.slice(-2);
		expect(atOurs?.body).toEqual({ code: "TOO_MANY_REQUESTS", ...atCores?.body });
		expect(atOurs?.headers.get("content-type")).toContain("application/json");
		const seconds = Number(atOurs?.headers.get("retry-after"));
		expect(seconds).toBeGreaterThan(0);
		expect(seconds).toBeLessThanOrEqual(10);
		expect(atOurs?.headers.get("x-retry-after")).toBe(String(seconds));
	});

	it.each(PAIRS)("counts failures too: at %s and %s", async (core, ours) => {
		const address = nextAddress();
		const statuses: number[] = [];
		for (const path of [ours, core, ours, ours, core]) {
			statuses.push((await post(path, {}, address)).status);
		}
		expect(statuses).toEqual([400, 400, 400, 429, 429]);
	});

	const stores: [string, () => InstanceOptions][] = [
		["the database", () => ({ rateLimit: { storage: "database" } })],
		[
			"a secondary storage",
			() => ({
				secondaryStorage: makeMemoryStorage(),
				rateLimit: { storage: "secondary-storage" },
			}),
		],
		[
			"a storage of the app",
			() => {
				const counts = new Map<string, number>();
				const consume = async (key: string, { max }: { max: number }) => {
					counts.set(key, (counts.get(key) ?? 0) + 1);
					return { allowed: (counts.get(key) ?? 0) <= max, retryAfter: 10 };
				};
				return { rateLimit: { customStorage: { consume } } };
			},
		],
	];

	it.each(stores)("is one for both paths in %s", async (_, options) => {
		const { rateLimit, ...rest } = options();
		const stored = await makeHost({ ...rest, rateLimit: { ...rateLimit, enabled: true } });
		const headers = { "x-forwarded-for": nextAddress() };
		const body = { email, password: "wrong password" };
		const statuses: number[] = [];
		for (const path of ["/tenant/sign-in/email", "/sign-in/email"].flatMap((it) => [it, it])) {
			const { status } = await stored.call(path, { tenant: stored.tenantId, body, headers });
			statuses.push(status);
		}
		expect(statuses).toEqual([401, 401, 401, 429]);
	});

	it("counts where the app disables core's path", async () => {
		const closed = await makeInstance({
			disabledPaths: ["/sign-in/email"],
			rateLimit: { enabled: true },
		});
		const headers = { "x-forwarded-for": nextAddress() };
		const tenantId = await closed.makeTenant();
		const statuses: number[] = [];
		for (let index = 0; index < 4; index += 1) {
			statuses.push((await closed.signIn(tenantId, { headers })).status);
		}
		expect(statuses).toEqual([401, 401, 401, 429]);
	});

	it("has a code at every path of ours", async () => {
		const headers = { "x-forwarded-for": nextAddress() };
		let answer = await host.manage("/tenant/list", { headers });
		for (let count = 0; count < 100; count += 1) {
			answer = await host.manage("/tenant/list", { headers });
		}
		expect([answer.status, answer.body.code]).toEqual([429, "TOO_MANY_REQUESTS"]);
	});

	it("is not begun anew by naming another tenant, or naming it elsewhere", async () => {
		const address = nextAddress();
		const wrong = { email, password: "wrong password" };
		const other = "nobody";
		const { tenantId } = host;
		const path = "/tenant/sign-in/email";
		const answers = [
			await post(path, { tenantId, ...wrong }, address),
			await post(path, { tenantId: other, ...wrong }, address),
			await post(path, wrong, address, { tenant: tenantId }),
			await post(`${path}?tenantId=${tenantId}`, wrong, address),
			await post(`${path}?x=${unique()}`, { tenantId, ...wrong }, address),
		];
		expect(answers.map(({ status }) => status)).toEqual([401, 404, 401, 429, 429]);
	});

	it("counts each address for itself", async () => {
		const [one, other] = [nextAddress(), nextAddress()];
		const signIn = (address: string) =>
			post("/tenant/sign-in/email", { tenantId: host.tenantId, email, password }, address);
		for (let index = 0; index < 4; index += 1) await signIn(one);
		expect((await signIn(one)).status).toBe(429);
		expect((await signIn(other)).status).toBe(200);
	});

	it("leaves management at the host's general limit", async () => {
		const headers = { "x-forwarded-for": nextAddress() };
		for (let index = 0; index < 10; index += 1) {
			expect((await host.manage("/tenant/list", { headers })).status).toBe(200);
		}
	});

	it("follows the host's own rule for our paths", async () => {
		const strict = await makeHost({
			rateLimit: {
				enabled: true,
				customRules: { "/tenant/sign-in/email": { window: 60, max: 1 } },
			},
		});
		const headers = { "x-forwarded-for": nextAddress() };
		const signIn = () =>
			strict.call("/tenant/sign-in/email", {
				body: { tenantId: strict.tenantId, email, password },
				headers,
			});
		expect([(await signIn()).status, (await signIn()).status]).toEqual([200, 429]);
	});

	const rule = { window: 60, max: 1 };

	/** The rules hold once the host is set up: they would refuse that too. */
	async function makeLimited(customRules: CustomRules) {
		const limited = await makeHost({ rateLimit: { enabled: false, customRules } });
		(await limited.auth.$context).rateLimit.enabled = true;
		return limited;
	}

	it.each([
		["for the path", ["/sign-in/email", "/sign-up/email", "/sign-in/social"], () => rule],
		["with a wildcard", ["/sign-*/*"], () => rule],
		["with a wildcard for everything", ["/**"], () => rule],
		["by a function", ["/sign-*/*"], () => async () => rule],
	])("follows the host's rule for core's paths at ours too: %s", async (_, paths, make) => {
		const customRules = Object.fromEntries(paths.map((path) => [path, make()]));
		const strict = await makeLimited(customRules);
		for (const [core, ours, body] of notEmpty(PAIRS)) {
			for (const path of [core, ours]) {
				const headers = { "x-forwarded-for": nextAddress() };
				const attempt = () => strict.call(path, { tenant: strict.tenantId, body: body(), headers });
				const statuses = [(await attempt()).status, (await attempt()).status];
				expect([path, statuses]).toEqual([path, [200, 429]]);
			}
		}
		expect(Object.keys(customRules)).toEqual(paths);
	});

	it("is counted without a new router for each request, also by a function, which gets the request as it came", async () => {
		let routers = 0;
		const seen: string[] = [];
		const plugin: BetterAuthPlugin = {
			id: "counts-routers",
			// Better Auth reads it when it makes a router.
			get middlewares() {
				routers += 1;
				return [];
			},
		};
		const counted = await makeHost({
			plugins: [plugin],
			rateLimit: {
				enabled: true,
				customRules: {
					"/sign-in/*": async ({ url, method }) => {
						seen.push(`${method} ${new URL(url).pathname}`);
						return { window: 60, max: 50 };
					},
				},
			},
		});
		const { tenantId } = counted;
		const routersOf = async (path: string) => {
			await counted.call(path, { tenant: tenantId, body: { email, password } });
			routers = 0;
			await counted.call(path, { tenant: tenantId, body: { email, password } });
			return routers;
		};
		// `auth.handler` makes one for each request, the fast handler none.
		const ofHandler = await routersOf("/sign-in/email");
		seen.length = 0;
		expect(await routersOf("/tenant/sign-in/email")).toBe(ofHandler);
		expect(new Set(seen)).toEqual(new Set(["POST /api/auth/tenant/sign-in/email"]));
	});

	it("is off at our paths where the host switches it off at core's", async () => {
		const lax = await makeLimited({ "/sign-in/*": false });
		const headers = { "x-forwarded-for": nextAddress() };
		const body = { tenantId: lax.tenantId, email, password };
		for (let index = 0; index < 5; index += 1) {
			expect((await lax.call("/tenant/sign-in/email", { body, headers })).status).toBe(200);
		}
	});

	it("prefers the host's rule for our path to that for core's, and that to one for everything", async () => {
		const strict = await makeLimited({
			"/sign-in/*": rule,
			"/tenant/sign-in/social": { window: 60, max: 2 },
			"/**": { window: 60, max: 50 },
		});
		const headers = { "x-forwarded-for": nextAddress() };
		const accepted = async (path: string, body: object) => {
			const { tenantId } = strict;
			for (let count = 0; ; count += 1) {
				const { status } = await strict.call(path, { body: { tenantId, ...body }, headers });
				if (status === 429) return count;
			}
		};
		expect(await accepted("/tenant/sign-in/email", { email, password })).toBe(1);
		expect(await accepted("/tenant/sign-in/social", { provider: "github" })).toBe(2);
	});

	it("leaves management alone where the host's rule is for core's paths", async () => {
		const strict = await makeLimited({ "/*/*": rule });
		const headers = { "x-forwarded-for": nextAddress() };
		const query = { tenantId: strict.tenantId };
		for (let index = 0; index < 5; index += 1) {
			const { status } = await strict.manage("/tenant/user/list", { query, headers });
			expect(status).toBe(200);
		}
	});

	describe("of a management key", () => {
		const general = 100;

		/** Uses up the limit of `/tenant/list`, as somebody who guesses keys. */
		async function guess(target: Pick<Host, "call">, headers: Headers) {
			const statuses = new Set<number>();
			for (let count = 0; count <= general; count += 1) {
				const authorization = `Bearer wrong-management-key-${count}`;
				const { status } = await target.call("/tenant/list", {
					headers: { ...headers, authorization },
				});
				statuses.add(status);
			}
			expect([...statuses]).toEqual([403, 429]);
		}

		it("is not used up by wrong keys from the same address", async () => {
			const headers = { "x-forwarded-for": nextAddress() };
			await guess(host, headers);
			expect((await host.manage("/tenant/list", { headers })).status).toBe(200);
			// Wrong keys are still refused.
			const wrong = { ...headers, authorization: "Bearer another-wrong-management-key" };
			expect((await host.call("/tenant/list", { headers: wrong })).status).toBe(429);
		});

		it("is one with wrong keys if the key is short enough to be guessed", async () => {
			const key = "fifteen-letters";
			const short = await makeInstance({
				rateLimit: { enabled: true },
				tenants: { managementKeys: [key] },
			});
			const headers = { "x-forwarded-for": nextAddress(), authorization: `Bearer ${key}` };
			expect((await short.call("/tenant/list", { headers })).status).toBe(200);
			await guess(short, { "x-forwarded-for": headers["x-forwarded-for"] });
			expect((await short.call("/tenant/list", { headers })).status).toBe(429);
		});

		it("is no way around the limit of a sign-in", async () => {
			const headers = { "x-forwarded-for": nextAddress() };
			const statuses: number[] = [];
			for (let count = 0; count < 4; count += 1) {
				const { status } = await host.manage("/tenant/sign-in/email", {
					tenant: host.tenantId,
					body: { email, password: "wrong password" },
					headers,
				});
				statuses.push(status);
			}
			expect(statuses).toEqual([401, 401, 401, 429]);
		});

		it("follows the host's own rule", async () => {
			const strict = await makeLimited({ "/tenant/list": rule });
			const headers = { "x-forwarded-for": nextAddress() };
			const list = async () => (await strict.manage("/tenant/list", { headers })).status;
			expect([await list(), await list()]).toEqual([200, 429]);
		});
	});
});

describe("cross-site requests", () => {
	let host: Host;

	beforeAll(async () => {
		host = await makeHost({ trustedOrigins: ["https://app.example.com"] });
	});

	const cookie = "better-auth.session_token=somebody.else";

	const requests: [string, Headers, number | "any"][] = [
		["no browser's headers", {}, 200],
		["a cross-site navigation", fetched("cross-site", "navigate"), 403],
		[
			"a cross-site navigation from a trusted origin",
			{ ...fetched("cross-site", "navigate"), origin: ORIGIN },
			403,
		],
		[
			"a cross-site navigation with a cookie",
			{ ...fetched("cross-site", "navigate"), cookie, origin: EVIL },
			403,
		],
		["a cross-site fetch", { ...fetched("cross-site", "cors"), origin: EVIL }, 403],
		["a cross-site fetch without an origin", fetched("cross-site", "no-cors"), 403],
		["a same-origin fetch", { ...fetched("same-origin", "cors"), origin: ORIGIN }, 200],
		["a same-origin form", { ...fetched("same-origin", "navigate"), origin: ORIGIN }, 200],
		[
			"a same-site fetch from another origin",
			{ ...fetched("same-site", "cors"), origin: "http://localhost:4000" },
			403,
		],
		[
			"a fetch from a trusted origin",
			{ ...fetched("cross-site", "cors"), origin: "https://app.example.com" },
			200,
		],
		["a foreign origin", { origin: EVIL }, 403],
		["a foreign origin and a cookie", { origin: EVIL, cookie }, 403],
		["a foreign referer", { referer: `${EVIL}/page` }, 403],
		["a foreign referer and a cookie", { referer: `${EVIL}/page`, cookie }, 403],
		["a cookie and no origin", { cookie }, 403],
		["a cookie and the origin null", { cookie, origin: "null" }, 403],
		["the origin null", { origin: "null" }, "any"],
		["a look-alike origin and a cookie", { cookie, origin: `${ORIGIN}.evil.example` }, 403],
		["our origin and a cookie", { cookie, origin: ORIGIN }, 200],
		["a trusted origin and a cookie", { cookie, origin: "https://app.example.com" }, 200],
	];

	function fetched(site: string, mode: string): Headers {
		return { "sec-fetch-site": site, "sec-fetch-mode": mode, "sec-fetch-dest": "empty" };
	}

	/** Sends the same request to core's path and to ours. */
	async function sendToBoth(
		[core, ours, body]: (typeof PAIRS)[number],
		extra: { body?: object; headers?: Headers; query?: Record<string, string> },
	) {
		const { headers, query } = extra;
		const send = (path: string, more: object) =>
			host.call(path, {
				body: { ...more, ...body(), ...extra.body },
				...(headers ? { headers } : {}),
				...(query ? { query } : {}),
			});
		return [await send(core, {}), await send(ours, { tenantId: host.tenantId })] as const;
	}

	describe.each(PAIRS)("to %s and to %s", (...pair) => {
		const isEmail = pair[0].endsWith("/email");

		it.each(requests)("are treated alike: %s", async (_, headers, expected) => {
			const [cores, ours] = await sendToBoth(pair, { headers });
			expect(statusAndCode(ours)).toEqual(statusAndCode(cores));
			if (isEmail && expected !== "any") expect(ours.status).toBe(expected);
			if (ours.status !== 200) expect(ours.headers.getSetCookie()).toEqual([]);
		});

		const addresses = [
			"/welcome",
			"/welcome?next=/home",
			`${ORIGIN}/welcome`,
			"https://app.example.com/welcome",
			EVIL,
			"//evil.example",
			"///evil.example",
			"/\\evil.example",
			"\\\\evil.example",
			"/%5cevil.example",
			"/%2f%2fevil.example",
			"javascript:alert(1)",
			"data:text/html,x",
			`${ORIGIN}.evil.example/`,
			`${ORIGIN}@evil.example/`,
			"http://localhost:3001/",
			"https://app.example.com.evil.example",
			"evil.example",
			" https://evil.example",
			"/a\nb",
		];
		const fields = isEmail
			? ["callbackURL"]
			: ["callbackURL", "errorCallbackURL", "newUserCallbackURL"];

		it.each(fields)("have their %s checked alike", async (field) => {
			for (const address of notEmpty(addresses)) {
				const [cores, ours] = await sendToBoth(pair, { body: { [field]: address } });
				expect([address, ...statusAndCode(ours)]).toEqual([address, ...statusAndCode(cores)]);
				if (address.includes("evil") && !address.startsWith("/%")) expect(ours.status).toBe(403);
			}
		});

		it("have an address in the query checked alike", async () => {
			const [cores, ours] = await sendToBoth(pair, { query: { callbackURL: EVIL } });
			expect(statusAndCode(ours)).toEqual(statusAndCode(cores));
			expect(ours.status).toBe(403);
		});

		it("may be forms at neither or at both", async () => {
			const [core, ours, body] = pair;
			const asForm = (path: string, more: object, headers: Headers) =>
				host.call(path, {
					body: new URLSearchParams({ ...more, ...body() } as Headers).toString(),
					headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
				});
			for (const headers of [{}, fetched("cross-site", "navigate"), { origin: EVIL }]) {
				const cores = await asForm(core, {}, headers);
				const own = await asForm(ours, { tenantId: host.tenantId }, headers);
				expect(own.status).toBe(cores.status);
				expect(own.body.code).toBe(cores.body.code);
			}
		});
	});

	it("cannot manage with an administrator's cookie", async () => {
		const adminUserIds: string[] = [];
		const { call, db } = await makeInstance({ tenants: { adminUserIds } });
		const admin = await call("/sign-up/email", { body: { name: "Root", email, password } });
		adminUserIds.push(admin.body.user.id);
		const create = (headers: Headers) =>
			call("/tenant/create", {
				body: { name: "Acme", slug: `slug-${unique()}` },
				headers: { cookie: admin.cookie, ...headers },
			});
		const foreign: Headers[] = [{ origin: EVIL }, { origin: "null" }, { referer: EVIL }, {}];
		for (const headers of notEmpty(foreign)) {
			expect((await create(headers)).status).toBe(403);
		}
		const asText = await create({ origin: ORIGIN, "content-type": "text/plain" });
		expect(asText.status).toBe(415);
		expect(await db.selectFrom("tenant").selectAll().execute()).toEqual([]);
		expect((await create({ origin: ORIGIN })).status).toBe(200);
	});
});
