import { exportTenant, importTenant } from "better-auth-tenant/imports";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { notEmpty } from "../../../testing/not-empty";
import { freePort } from "../../../testing/ports";
import { listen } from "../src/http/listen";
import { askRegions, keepLocated, type Located } from "../src/regions/directory";
import { readSettings } from "../src/settings/settings";
import { command } from "./cli-command";
import {
	asManager,
	cookiesOf,
	newSlug,
	newTenant,
	newUser,
	type RunningService,
	runningService,
} from "./running-service";
import { temporaryDirectory } from "./temporary-directory";
import { exportFrom, importInto } from "./tenant-file-calls";

const REGION_KEY = "the-key-of-all-regions-of-these-tests";
const asRegion = { authorization: `Bearer ${REGION_KEY}` };
const asPerson = { accept: "text/html" };
const asJson = async (response: Response) => ({
	status: response.status,
	body: (await response.json()) as Record<string, unknown>,
});

type Region = RunningService & { url: string; stop: () => Promise<void> };

const ends: (() => Promise<void> | void)[] = [];
let eu: Region;
let us: Region;

async function startRegion(name: string, regions: string, port: number): Promise<Region> {
	const url = `http://localhost:${port}`;
	const service = await runningService(
		{
			...{ REGION: name, REGIONS: regions, REGION_KEY, BETTER_AUTH_URL: url },
			...{ BEARER_SESSIONS: "true" },
		},
		{ atTheEnd: (end) => void ends.push(end) },
	);
	const listener = await listen("127.0.0.1", port);
	listener.serve(service.app.fetch, service.gate);
	const stop = () => listener.close();
	ends.push(stop);
	return { ...service, url, stop };
}

beforeAll(async () => {
	const ports = [await freePort(), await freePort()] as const;
	const regions = `eu=http://localhost:${ports[0]},us=http://localhost:${ports[1]}`;
	eu = await startRegion("eu", regions, ports[0]);
	us = await startRegion("us", regions, ports[1]);
});

afterAll(async () => {
	for (const end of ends.reverse()) await end();
});

const wrongRegion = () => ({
	status: 421,
	body: expect.objectContaining({ code: "WRONG_REGION", region: "us", url: us.url }),
});

describe("a tenant of another region", () => {
	test("has pages there, and any region leads to them", async () => {
		const slug = newSlug();
		await newTenant(us.post, slug);
		const response = await eu.call(`/t/${slug}/sign-in?a=b`, { headers: asPerson });
		expect(response.status).toBe(307);
		expect(response.headers.get("location")).toBe(`${us.url}/t/${slug}/sign-in?a=b`);
		const opened = await fetch(`${us.url}/t/${slug}/sign-in`, { headers: asPerson });
		expect(opened.status).toBe(200);
	});

	test("is named by header, query or body: programs learn where it is", async () => {
		const tenantId = await newTenant(us.post, newSlug());
		const headers = { "x-tenant-id": tenantId };
		const responses = [
			await eu.call("/api/auth/get-session", { headers }),
			await eu.call(`/api/auth/tenant/login-options?tenantId=${tenantId}`),
			await eu.post("/tenant/sign-in/email", { tenantId, ...newUser("ada@example.com") }),
			await eu.post("/sign-in/email", newUser("ada@example.com"), headers),
		];
		for (const response of notEmpty(responses)) {
			expect(await asJson(response)).toEqual(wrongRegion());
		}
	});

	test("is not changed by a request to the wrong region", async () => {
		const tenantId = await newTenant(us.post, newSlug());
		await eu.post("/tenant/sign-up/email", { tenantId, ...newUser("eve@example.com") });
		const listed = await us.call(`/api/auth/tenant/user/list?tenantId=${tenantId}`, {
			headers: asManager,
		});
		expect(await listed.json()).toEqual([]);
	});

	test("has an issuer there", async () => {
		const slug = newSlug();
		await newTenant(us.post, slug);
		const response = await eu.call(`/t/${slug}/.well-known/openid-configuration`);
		expect(await asJson(response)).toEqual(wrongRegion());
	});

	test("keeps its slug: no other region gives it to another tenant", async () => {
		const slug = newSlug();
		await newTenant(us.post, slug);
		const created = await eu.post("/tenant/create", { name: "Other", slug }, asManager);
		expect(await asJson(created)).toMatchObject({
			status: 409,
			body: { code: "TENANT_ALREADY_EXISTS", message: expect.stringContaining('"us"') },
		});
		// Without credentials, nobody makes this server ask others.
		const send = vi.spyOn(globalThis, "fetch");
		const refused = await eu.post("/tenant/create", { name: "Other", slug }, { cookie: "a=b" });
		expect([refused.status, send.mock.calls]).toEqual([401, []]);
		send.mockRestore();
		const tenantId = await newTenant(eu.post, newSlug());
		const renamed = await eu.post("/tenant/update", { tenantId, slug }, asManager);
		expect(renamed.status).toBe(409);
	});

	test("keeps a former slug: old links never lead to a tenant of another region", async () => {
		const slug = newSlug();
		const tenantId = await newTenant(us.post, slug);
		const renamed = await us.post("/tenant/update", { tenantId, slug: newSlug() }, asManager);
		expect(renamed.status).toBe(200);
		const create = (body: object) =>
			eu.post("/tenant/create", { name: "Other", slug, ...body }, asManager);
		expect(await asJson(await create({}))).toMatchObject({
			status: 409,
			body: { code: "TENANT_ALREADY_EXISTS", message: expect.stringContaining("had this slug") },
		});
		const other = await newTenant(eu.post, newSlug());
		const taken = await eu.post("/tenant/update", { tenantId: other, slug }, asManager);
		expect(taken.status).toBe(409);
		const page = await eu.call(`/t/${slug}`, { headers: asPerson });
		expect(page.status).toBe(404);
		// As in one region, only the app takes it away.
		expect((await create({ releaseSlug: true })).status).toBe(200);
	});

	test("is found by a domain of emails, if it wants to be found", async () => {
		const slug = newSlug();
		const id = await newTenant(us.post, slug);
		const { adapter } = await us.backend.auth.$context;
		const addDomain = (host: string, discoverable: boolean) =>
			adapter.create({
				model: "tenantDomain",
				data: {
					...{ tenantId: id, host, purpose: "email", lookupKey: `email:${host}`, token: host },
					...{ verifiedAt: new Date(), discoverable, createdAt: new Date() },
				},
			});
		await addDomain("shown.example", true);
		await addDomain("hidden.example", false);
		const send = vi.spyOn(globalThis, "fetch");
		try {
			const discover = async (email: string) =>
				(await asJson(await eu.call(`/api/auth/tenant/discover?email=${email}`))).body;
			expect(await discover("ada@Shown.example")).toEqual({
				tenant: { id, name: slug, slug, loginHost: null, region: "us", url: us.url },
			});
			expect(await discover("ada@hidden.example")).toEqual({ tenant: null });
			// The name of the person stays in this region.
			const asked = send.mock.calls.map(([url]) => String(url));
			expect(asked).toEqual([
				`${us.url}/region/tenant?email=user%40shown.example`,
				`${us.url}/region/tenant?email=user%40hidden.example`,
			]);
		} finally {
			send.mockRestore();
		}
	});
});

test("a tenant moves to another region with its users, and the old one leads there", async () => {
	const slug = newSlug();
	const tenantId = await newTenant(eu.post, slug);
	const credentials = { tenantId, ...newUser("ada@example.com") };
	await eu.post("/tenant/sign-up/email", credentials);
	await eu.post("/tenant/suspend", { tenantId }, asManager);
	const exported = await exportFrom(eu, asManager, { tenantId });
	const file = new Uint8Array(await exported.arrayBuffer());
	expect((await importInto(us, asManager, file)).status).toBe(200);
	await us.post("/tenant/resume", { tenantId }, asManager);
	const suspended = await eu.call(`/t/${slug}`, { headers: asPerson });
	expect(suspended.status).toBe(403);
	expect((await eu.post("/tenant/delete", { tenantId }, asManager)).status).toBe(200);
	const page = await eu.call(`/t/${slug}`, { headers: asPerson });
	expect(page.headers.get("location")).toBe(`${us.url}/t/${slug}`);
	expect(await asJson(await eu.post("/tenant/sign-in/email", credentials))).toEqual(wrongRegion());
	expect((await us.post("/tenant/sign-in/email", credentials)).status).toBe(200);
});

test("no tenant is imported with the slug of another tenant of another region", async () => {
	const slug = newSlug();
	await newTenant(us.post, slug);
	const elsewhere = await runningService();
	const tenantId = await newTenant(elsewhere.post, slug);
	const exported = await exportFrom(elsewhere, asManager, { tenantId });
	const file = new Uint8Array(await exported.arrayBuffer());
	expect(await asJson(await importInto(eu, asManager, file))).toMatchObject({
		status: 409,
		body: { code: "TENANT_ALREADY_EXISTS", message: expect.stringContaining('"us"') },
	});
	const found = await eu.call(`/api/auth/tenant/get?id=${tenantId}`, { headers: asManager });
	expect(found.status).toBe(404);
});

test("a tenant that has moved may give up its slug, and take it back", async () => {
	const slug = newSlug();
	const tenantId = await newTenant(eu.post, slug);
	await eu.post("/tenant/suspend", { tenantId }, asManager);
	await importTenant(us.backend.auth, exportTenant(eu.backend.auth, tenantId));
	const change = async (slug: string) =>
		(await us.post("/tenant/update", { tenantId, slug }, asManager)).status;
	const another = newSlug();
	expect([await change(slug), await change(another), await change(slug)]).toEqual([200, 200, 200]);
	expect((await eu.post("/tenant/delete", { tenantId }, asManager)).status).toBe(200);
	expect([await change(another), await change(slug)]).toEqual([200, 200]);
});

test("a tenant is open in one region only", async () => {
	const tenantId = await newTenant(eu.post, newSlug());
	const post = async (at: Region, path: string) =>
		asJson(await at.post(path, { tenantId }, asManager));
	await importTenant(us.backend.auth, exportTenant(eu.backend.auth, tenantId));
	expect(await post(us, "/tenant/resume")).toMatchObject({
		status: 409,
		body: { code: "TENANT_OPEN_ELSEWHERE", message: expect.stringContaining('"eu"') },
	});
	expect((await post(eu, "/tenant/suspend")).status).toBe(200);
	expect((await post(us, "/tenant/resume")).status).toBe(200);
	expect((await post(eu, "/tenant/resume")).status).toBe(409);
});

test("a tenant is open in one region only, however the call names it", async () => {
	const slug = newSlug();
	const tenantId = await newTenant(eu.post, slug);
	await importTenant(us.backend.auth, exportTenant(eu.backend.auth, tenantId));
	const named = { ...asManager, "x-tenant-id": tenantId };
	for (const body of notEmpty([{}, { tenantId: "" }])) {
		expect((await us.post("/tenant/resume", body, named)).status).toBe(409);
	}
	expect((await us.post(`/tenant/resume?tenantId=${tenantId}`, {}, asManager)).status).toBe(409);
});

test("a caller who may not change the slug makes no region ask another one", async () => {
	const slug = newSlug();
	await newTenant(us.post, slug);
	const tenantId = await newTenant(eu.post, newSlug());
	const user = await eu.post("/tenant/sign-up/email", { tenantId, ...newUser("bob@example.com") });
	const callers: Record<string, string>[] = [
		{ authorization: "Bearer x" },
		{ cookie: cookiesOf(user), origin: eu.url },
		{ cookie: "better-auth.session_token=x" },
	];
	for (const headers of notEmpty(callers)) {
		const response = await eu.post("/tenant/update", { tenantId, slug }, headers);
		// The slug is taken in another region. The caller does not learn that.
		expect(response.status).toBe(403);
	}
	expect((await eu.post("/tenant/update", { tenantId, slug }, asManager)).status).toBe(409);
});

test("a tenant can move back", async () => {
	const slug = newSlug();
	const tenantId = await newTenant(eu.post, slug);
	const move = async (from: Region, to: Region, settings: object) => {
		await from.post("/tenant/suspend", { tenantId }, asManager);
		const file = await (await exportFrom(from, asManager, { tenantId })).arrayBuffer();
		const { status } = await importInto(to, asManager, new Uint8Array(file), settings);
		if (status !== 200) return status;
		await to.post("/tenant/resume", { tenantId }, asManager);
		return (await from.post("/tenant/delete", { tenantId }, asManager)).status;
	};
	expect(await move(eu, us, {})).toBe(200);
	// The region has kept the slug, so that nobody else gets it.
	expect(await move(us, eu, {})).toBe(409);
	expect(await move(us, eu, { releaseSlug: true })).toBe(200);
	expect((await eu.call(`/t/${slug}/sign-in`, { headers: asPerson })).status).toBe(200);
});

describe("a token of another region", () => {
	const jwt = (payload: object) =>
		`a.${Buffer.from(JSON.stringify(payload)).toString("base64url")}.c`;

	test("is refused with the name of its region", async () => {
		const slug = newSlug();
		await newTenant(eu.post, slug);
		const headers = { authorization: `Bearer ${jwt({ iss: `${us.url}/t/${slug}` })}` };
		const response = await eu.call(`/t/${slug}/oauth2/userinfo`, { headers });
		expect(await asJson(response)).toEqual(wrongRegion());
	});

	test("of a session is refused too", async () => {
		const call = async (token: string, path = "list-sessions") => {
			const headers = { authorization: `Bearer ${token}` };
			return eu.call(`/api/auth/${path}`, { headers });
		};
		const there = await newTenant(us.post, newSlug());
		const body = { tenantId: there, ...newUser("ada@example.com") };
		const signedUp = await us.post("/tenant/sign-up/email", body);
		const token = signedUp.headers.get("set-auth-token") ?? "";
		expect(token).toContain(there);
		expect(await asJson(await call(token))).toEqual(wrongRegion());
		expect(await asJson(await call(token, "get-session"))).toEqual(wrongRegion());
		const random = "x".repeat(32);
		const here = await newTenant(eu.post, newSlug());
		for (const name of [`_${here}`, "_nobody", ""]) {
			const unknown = `${random}${name}.signature`;
			expect((await call(unknown)).status, name).toBe(401);
			expect(await asJson(await call(unknown, "get-session"))).toEqual({ status: 200, body: null });
		}
	});

	test.each(["https://example.com", "", "not a token"])(
		"of nobody is refused as ever: %j",
		async (iss) => {
			const slug = newSlug();
			await newTenant(eu.post, slug);
			const headers = { authorization: `Bearer ${jwt({ iss })}` };
			const response = await eu.call(`/t/${slug}/oauth2/userinfo`, { headers });
			expect(response.status).toBe(401);
		},
	);
});

describe("a tenant of this region", () => {
	test("works as without regions", async () => {
		const slug = newSlug();
		const tenantId = await newTenant(eu.post, slug);
		const signedUp = await eu.post("/tenant/sign-up/email", {
			tenantId,
			...newUser("ada@example.com"),
		});
		expect(signedUp.status).toBe(200);
		const page = await eu.call(`/t/${slug}/no-such-page`, { headers: asPerson });
		expect(page.status).toBe(404);
	});

	test("has a usual slug and id: nobody is asked about anything else", async () => {
		const send = vi.spyOn(globalThis, "fetch");
		const long = "a".repeat(5000);
		const responses = [
			await eu.call(`/t/${long}`, { headers: asPerson }),
			await eu.call("/t/%00", { headers: asPerson }),
			await eu.call("/api/auth/get-session", { headers: { "x-tenant-id": long } }),
			await eu.post("/tenant/update", { tenantId: long, slug: long }, asManager),
		];
		expect(send.mock.calls).toEqual([]);
		send.mockRestore();
		for (const { status } of notEmpty(responses)) expect([400, 404]).toContain(status);
	});

	test("of no region does not exist", async () => {
		const page = await eu.call(`/t/${newSlug("nobody")}`, { headers: asPerson });
		expect(page.status).toBe(404);
		const response = await eu.call("/api/auth/get-session", { headers: { "x-tenant-id": "none" } });
		expect(await asJson(response)).toMatchObject({
			status: 404,
			body: { code: "TENANT_NOT_FOUND" },
		});
	});
});

describe("the question of a region", () => {
	test("needs the key", async () => {
		for (const headers of notEmpty([{}, asManager, { authorization: "Bearer wrong" }])) {
			const response = await eu.call("/region/tenant?slug=acme", { headers });
			expect(response.status).toBe(401);
		}
	});

	test.each(["", "?name=acme", "?slug=a&id=b", "?slug=a&slug=b"])(
		"names one tenant: %j does not",
		async (query) => {
			const response = await eu.call(`/region/tenant${query}`, { headers: asRegion });
			expect(response.status).toBe(400);
		},
	);

	test.each(["slug=%00", "slug=A%20B", "id=%00", "email=nobody", `slug=${"a".repeat(5000)}`])(
		"about something that is not a tenant gets a response: %j",
		async (query) => {
			const response = await eu.call(`/region/tenant?${query}`, { headers: asRegion });
			expect((await asJson(response)).body).toMatchObject({ tenant: null });
		},
	);

	test("gets what everybody sees who opens the tenant's page", async () => {
		const slug = newSlug();
		const id = await newTenant(eu.post, slug);
		const response = await eu.call(`/region/tenant?slug=${slug}`, { headers: asRegion });
		expect((await asJson(response)).body).toEqual({
			tenant: { id, slug, name: slug, loginHost: null },
			isOpen: true,
		});
	});
});

describe("the directory", () => {
	const others = [
		{ name: "us", url: "http://us.test" },
		{ name: "asia", url: "http://asia.test" },
	];
	const ask = (warn = vi.fn()) =>
		askRegions({ name: "eu", others, keys: [REGION_KEY] }, { warn, debug: vi.fn() });
	const tenant = { id: "1", slug: "acme", name: "Acme", loginHost: null };

	async function withResponses(
		respond: (url: string) => Response | Promise<Response>,
		work: (urls: string[]) => Promise<void>,
	) {
		const urls: string[] = [];
		const send = vi.spyOn(globalThis, "fetch").mockImplementation(async (url) => {
			urls.push(String(url));
			return respond(String(url));
		});
		try {
			await work(urls);
		} finally {
			send.mockRestore();
		}
	}

	test("asks all other regions, and takes the one that has the tenant", () =>
		withResponses(
			(url) =>
				Response.json({
					tenant: url.startsWith("http://asia.test") ? tenant : null,
					isOpen: true,
				}),
			async (urls) => {
				expect(await ask()({ slug: "acme" })).toEqual({ region: others[1], tenant, isOpen: true });
				expect(urls).toHaveLength(2);
			},
		));

	test("takes the region where the tenant is open, while another one still has it", () =>
		withResponses(
			(url) => Response.json({ tenant, isOpen: url.startsWith("http://asia.test") }),
			async () => {
				expect(await ask()({ slug: "acme" })).toMatchObject({ region: others[1] });
			},
		));

	test("does not know, if nobody has it and one does not respond", () =>
		withResponses(
			(url) =>
				url.startsWith("http://us.test")
					? Promise.reject(new Error("refused"))
					: Response.json({ tenant: null }),
			async () => {
				expect(await ask()({ slug: "acme" })).toBe("unknown");
			},
		));

	test("does not believe an error page", () =>
		withResponses(
			() => new Response("busy", { status: 503 }),
			async () => {
				expect(await ask()({ slug: "acme" })).toBe("unknown");
			},
		));

	test("logs an outage once, and the next one again", () => {
		const responses = ["away", "away", "here", "away"];
		return withResponses(
			(url) => {
				const isAway = url.startsWith("http://us.test") && responses.shift() === "away";
				return isAway ? new Response("", { status: 503 }) : Response.json({ tenant: null });
			},
			async () => {
				const warn = vi.fn();
				const locate = ask(warn);
				const logged = [];
				for (const slug of ["a1", "a2", "a3", "a4"]) {
					await locate({ slug });
					logged.push(warn.mock.calls.length);
				}
				expect(logged).toEqual([1, 1, 1, 2]);
			},
		);
	});

	test("does not ask without end for one client, who names one tenant after the other", async () => {
		const asked: string[] = [];
		const locate = keepLocated(async (query) => {
			asked.push(JSON.stringify(query));
			return "slug" in query && query.slug.startsWith("here")
				? { region: { name: "us", url: "" }, tenant, isOpen: true }
				: null;
		});
		const names = (start: string) => Array.from({ length: 40 }, (_, at) => `${start}-${at}`);
		for (const slug of notEmpty(names("here"))) await locate({ slug }, "1.2.3.4");
		expect(asked).toHaveLength(40);
		const located = [];
		for (const slug of notEmpty(names("acme"))) located.push(await locate({ slug }, "1.2.3.4"));
		expect(located.filter((it) => it === "unknown")).toHaveLength(10);
		expect(await locate({ slug: "acme-39" }, "4.3.2.1")).toBeNull();
		expect(asked).toHaveLength(71);
	});

	test("does not ask without end", () => {
		let respond = () => {};
		const responded = new Promise<void>((resolve) => {
			respond = resolve;
		});
		return withResponses(
			async () => {
				await responded;
				return Response.json({ tenant: null });
			},
			async (urls) => {
				const locate = ask();
				const names = Array.from({ length: 40 }, (_, at) => `acme-${at}`);
				const all = Promise.all(names.map((slug) => locate({ slug })));
				respond();
				const located = await all;
				expect(located.filter((it) => it === "unknown")).toHaveLength(8);
				expect(urls).toHaveLength(64);
			},
		);
	});

	test("keeps what it found for a moment, but not that a region was away", async () => {
		const found = { region: { name: "us", url: "" }, tenant, isOpen: true };
		const results: Located[] = ["unknown", null, found];
		const locate = keepLocated(async () => results.shift() ?? null);
		expect(await locate({ slug: "acme" })).toBe("unknown");
		expect(await locate({ slug: "acme" })).toBeNull();
		expect(await locate({ slug: "acme" })).toBeNull();
		expect(await locate({ slug: "other" })).toMatchObject({ tenant });
	});
});

test("operators see the regions, and not their key", async () => {
	const info = await (await eu.call("/service/info", { headers: asManager })).text();
	const others = [{ name: "us", url: us.url }];
	expect(JSON.parse(info)).toMatchObject({ region: { name: "eu", others } });
	expect(info).not.toContain(REGION_KEY);
});

/** For the command line, in the region "eu". */
function settingsOfEu(DATA_DIR: string) {
	const ports = [new URL(eu.url).port, new URL(us.url).port];
	return {
		DATA_DIR,
		BETTER_AUTH_URL: eu.url,
		BETTER_AUTH_SECRET: "a secret for tests with 32 characters and more",
		REGION: "eu",
		REGIONS: `eu=http://localhost:${ports[0]},us=http://localhost:${ports[1]}`,
		REGION_KEY,
	};
}

test("the command line deletes a tenant that has moved only after it is open there", async () => {
	const slug = newSlug();
	const environment = settingsOfEu(temporaryDirectory());
	const old = await runningService(environment);
	const tenantId = await newTenant(old.post, slug);
	const download = async () =>
		new Uint8Array(await (await exportFrom(old, asManager, { tenantId })).arrayBuffer());
	const remove = async () => {
		const { code, err } = await command(environment, [
			"tenant",
			"delete",
			slug,
			"--moved",
			"--yes",
		]);
		return [code, err];
	};
	const refused = (why: string) => [1, expect.stringContaining(`${slug} was not deleted. ${why}`)];
	expect(await remove()).toEqual(refused("No other region has it."));
	expect((await importInto(us, asManager, await download())).status).toBe(200);
	expect(await remove()).toEqual(refused('It is suspended in the region "us".'));
	await us.post("/tenant/resume", { tenantId }, asManager);
	// Somebody may have signed up here after the export.
	expect(await remove()).toEqual(refused("It is open here too"));
	expect((await old.post("/tenant/suspend", { tenantId }, asManager)).status).toBe(200);
	expect(await remove()).toEqual(refused("It was not exported after it was suspended"));
	await us.post("/tenant/delete", { tenantId }, asManager);
	const again = await importInto(us, asManager, await download(), { releaseSlug: true });
	expect(again.status).toBe(200);
	await us.post("/tenant/resume", { tenantId }, asManager);
	expect(await remove()).toEqual([0, ""]);
});

test("doctor asks the other regions", async () => {
	const environment = settingsOfEu(temporaryDirectory());
	const examine = async (more: Record<string, string>) => {
		const { out } = await command({ ...environment, ...more }, ["doctor", "--json"]);
		const { checks } = JSON.parse(out) as { checks: { check: string }[] };
		return checks.find(({ check }) => check === "regions");
	};
	expect(await examine({})).toMatchObject({ status: "ok" });
	expect(await examine({ REGION_KEY: REGION_KEY.replace("the", "any") })).toMatchObject({
		status: "problem",
		findings: [{ problem: expect.stringContaining('"us"') }],
	});
});

describe("settings", () => {
	const right = {
		BETTER_AUTH_URL: "https://eu.example.com",
		REGION: "eu",
		REGIONS: "eu=https://eu.example.com, us=https://us.example.com",
		REGION_KEY,
	};
	const read = (change: Record<string, string | undefined>) =>
		readSettings({ ...right, ...change }, "/").regions;

	test("name this region and the others", () => {
		expect(read({})).toEqual({
			name: "eu",
			others: [{ name: "us", url: "https://us.example.com" }],
			keys: [REGION_KEY],
		});
		expect(read({ REGION: "", REGIONS: "", REGION_KEY: "" })).toBeNull();
		const another = REGION_KEY.replace("the", "any");
		expect(read({ REGION_KEY: `${another}, ${REGION_KEY}` })?.keys).toEqual([another, REGION_KEY]);
	});

	test.each([
		[{ REGION: undefined }, "REGION must be set"],
		[{ REGIONS: undefined }, "REGIONS must be set"],
		[{ REGION_KEY: undefined }, "REGION_KEY must be set"],
		[{ REGION: "Europe!" }, "REGION must be a short name"],
		[{ REGION: "asia" }, 'REGIONS must contain "asia"'],
		[{ REGION_KEY: "short" }, "REGION_KEY must have at least 32 characters"],
		[{ REGION_KEY: `${REGION_KEY},short` }, "REGION_KEY must have at least 32 characters"],
		[{ BETTER_AUTH_URL: "https://other.example.com" }, "REGIONS must have BETTER_AUTH_URL"],
		[{ REGIONS: "eu=https://eu.example.com" }, "REGIONS must list all regions"],
		[{ REGIONS: "eu=https://eu.example.com,us=https://us.example.com/path" }, "REGIONS must list"],
		[{ REGIONS: "eu=https://eu.example.com,us=ftp://us.example.com" }, "REGIONS must list"],
		[{ REGIONS: "eu=https://eu.example.com,us=http://us.example.com" }, "REGIONS must list"],
		[{ REGIONS: "eu=https://eu.example.com,eu=https://us.example.com" }, "REGIONS must list"],
		[{ REGIONS: "eu=https://eu.example.com,us=https://eu.example.com" }, "REGIONS must list"],
	])("that do not fit stop the start: %j", (change, message) => {
		expect(() => read(change)).toThrow(message);
	});
});

test("a region that does not respond is not taken for one without the tenant", async () => {
	await us.stop();
	const page = await eu.call(`/t/${newSlug("away")}`, { headers: asPerson });
	expect(page.status).toBe(503);
	expect(page.headers.get("retry-after")).toBe("5");
	const response = await eu.call("/api/auth/get-session", { headers: { "x-tenant-id": "away" } });
	expect(await asJson(response)).toMatchObject({
		status: 503,
		body: { code: "REGION_UNAVAILABLE" },
	});
	const discovered = await eu.call("/api/auth/tenant/discover?email=ada@away.example.com");
	expect(discovered.status).toBe(503);
	const slug = newSlug("away");
	const created = await eu.post("/tenant/create", { name: "Acme", slug }, asManager);
	expect(await asJson(created)).toMatchObject({
		status: 503,
		body: { code: "REGION_UNAVAILABLE" },
	});
	const tenant = await eu.call(`/region/tenant?slug=${slug}`, { headers: asRegion });
	expect((await asJson(tenant)).body.tenant).toBeNull();
});
