import { randomUUID } from "node:crypto";
import type { RequestListener, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { Browser } from "../support/http/browser";
import { accountsOf } from "../support/providers/core-social";
import { type Listening, listen } from "../support/providers/identity-provider/listen";
import {
	askSocialSignIn,
	beginSocial,
	makeSocialApp,
	readSession,
	type SocialApp,
} from "../support/worlds/social-app";

const provider = "gitlab";
const limit = 1024 * 1024;
const timeLimit = 10_000;

type Answer = (response: ServerResponse) => void;

const json =
	(body: object): Answer =>
	(response) =>
		response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));

const newUser = (more: object = {}) =>
	json({ id: 5, name: "Ada", state: "active", email: `${randomUUID()}@example.com`, ...more });

const never: Answer = () => {};
const neverEnding: Answer = (response) => {
	response.writeHead(200, { "content-type": "application/json" }).write('{"id":');
};
/** Sends data as long as the client reads. */
const endless: Answer = (response) => {
	response.writeHead(200, { "content-type": "application/json" });
	const more = () => {
		while (!response.destroyed && response.write(Buffer.alloc(64 * 1024, " ")));
	};
	response.on("drain", more);
	more();
};
const announced: Answer = (response) => {
	response.writeHead(200, { "content-length": String(limit + 1) }).write("{");
};
const packed: Answer = (response) => {
	response
		.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" })
		.end(gzipSync(JSON.stringify({ name: " ".repeat(limit) })));
};

/** The admin of a tenant may run it with bad intentions. */
describe("a provider of a tenant", () => {
	let server: Listening;
	let app: SocialApp;
	let asked: string[];
	let answers: Record<string, Answer>;

	beforeAll(async () => {
		const listener: RequestListener = (request, response) => {
			const path = new URL(String(request.url), "http://provider").pathname;
			asked.push(path);
			request.resume();
			(answers[path] ?? never)(response);
		};
		server = await listen(listener);
		app = await makeSocialApp();
	});

	beforeEach(() => {
		asked = [];
		answers = {
			"/oauth/token": json({ access_token: "a", refresh_token: "r", token_type: "Bearer" }),
			"/api/v4/user": newUser(),
		};
	});

	afterEach(() => {
		vi.useRealTimers();
		vi.restoreAllMocks();
	});

	afterAll(() => server.close());

	async function addTenant(providerId: string, setting: string) {
		const tenantId = await app.createTenant();
		await app.registerConfig({
			tenantId,
			providerId,
			clientId: "client",
			clientSecret: "secret",
			options: { [setting]: `http://127.0.0.1:${server.port}` },
		});
		return tenantId;
	}

	async function beginWithGitlab() {
		const tenantId = await addTenant(provider, "issuer");
		const { browser, url } = await beginSocial(app, { tenantId, provider });
		const state = new URL(url).searchParams.get("state");
		return { browser, callback: `${app.callbackOf(provider)}?code=abc&state=${state}` };
	}

	/** Advances the clock to the time limit when `work` waits for the answer at `path`. */
	async function passTime<T>(path: string, work: () => Promise<T>): Promise<T> {
		vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
		let isOver = false;
		const result = work().finally(() => {
			isOver = true;
		});
		// `vi.waitUntil` would advance the fake time.
		while (!asked.includes(path)) await new Promise(setImmediate);
		await vi.advanceTimersByTimeAsync(timeLimit - 1000);
		expect(isOver).toBe(false);
		await vi.advanceTimersByTimeAsync(1000);
		return result;
	}

	async function expectFailure(browser: Browser, visit: { url: URL }, error: string) {
		expect(visit.url.href).toBe(`${app.origin}/failed?error=${error}`);
		expect(await readSession(browser)).toBeNull();
	}

	const steps = [
		["/oauth/token", "invalid_code"],
		["/api/v4/user", "unable_to_get_user_info"],
	] as const;

	describe.each(steps)("at %s", (path, error) => {
		it.each([
			["never answers", never],
			["never ends its answer", neverEnding],
		])("that %s fails after ten seconds", async (_, answer) => {
			const { browser, callback } = await beginWithGitlab();
			answers[path] = answer;
			const visit = await passTime(path, () => browser.follow(callback));
			await expectFailure(browser, visit, error);
		});

		it.each([
			["without end", endless],
			["with a content-length over one mebibyte", announced],
			["with more than one mebibyte after decompression", packed],
		])("that answers %s is rejected", async (_, answer) => {
			const { browser, callback } = await beginWithGitlab();
			answers[path] = answer;
			await expectFailure(browser, await browser.follow(callback), error);
		});
	});

	it("that answers with a little less than one mebibyte is accepted", async () => {
		const { browser, callback } = await beginWithGitlab();
		answers["/api/v4/user"] = newUser({ bio: " ".repeat(limit - 1024) });
		expect((await browser.follow(callback)).url.pathname).toBe("/home");
		expect(await readSession(browser)).not.toBeNull();
	});

	it("that sends a long name and a long image URL signs in with a shorter name and no image", async () => {
		const { browser, callback } = await beginWithGitlab();
		const name = `\u0000${"\u{1f600}".repeat(300)}`;
		answers["/api/v4/user"] = newUser({
			name,
			avatar_url: `https://a.example/${"x".repeat(2048)}`,
		});
		expect((await browser.follow(callback)).url.pathname).toBe("/home");
		expect(await readSession(browser)).toMatchObject({
			user: { name: "\u{1f600}".repeat(255), image: null },
		});
	});

	it.each([
		["a long email", { email: `${"x".repeat(250)}@example.com` }],
		["an email with a control character", { email: "a\u0000b@example.com" }],
		["an email that is not a text", { email: { toString: "x" } }],
		...[
			"not an address",
			"a@corp.test,b@evil.test",
			" boss@corp.test",
			"x@evil.test@corp.test",
			"<script>@corp.test",
			"Boss <boss@corp.test>",
			"@corp.test",
		].map((email): [string, object] => [`the email ${email}`, { email }]),
		["a long account id", { id: "5".repeat(256) }],
		["an account id with a control character", { id: "5\u0000" }],
	])("that sends %s is rejected", async (_, profile) => {
		const { browser, callback } = await beginWithGitlab();
		answers["/api/v4/user"] = newUser(profile);
		await expectFailure(browser, await browser.follow(callback), "unable_to_get_user_info");
	});

	it.each([
		["a long access token", { access_token: "x".repeat(16_385) }],
		["a long refresh token", { access_token: "a", refresh_token: "x".repeat(16_385) }],
		["a token that is not a text", { access_token: { x: 1 } }],
	])("that sends %s is rejected", async (_, tokens) => {
		const { browser, callback } = await beginWithGitlab();
		answers["/oauth/token"] = json({ token_type: "Bearer", ...tokens });
		await expectFailure(browser, await browser.follow(callback), "invalid_code");
	});

	it.each([1e20, -1, "soon", 3e9])(
		"that says that a token expires in %j signs in",
		async (time) => {
			const { browser, callback } = await beginWithGitlab();
			answers["/oauth/token"] = json({
				access_token: "a",
				expires_in: time,
				scope: "scope ".repeat(2000),
			});
			expect((await browser.follow(callback)).url.pathname).toBe("/home");
			const [stored] = app.database.prepare("select * from account order by createdAt desc").all();
			const expiry = (stored as { accessTokenExpiresAt: string | null }).accessTokenExpiresAt;
			if (expiry) expect(Date.parse(expiry)).toBeLessThan(Date.now() + 366 * 24 * 3600 * 1000);
		},
	);

	it("leaves no timer behind after its answer", async () => {
		const { browser, callback } = await beginWithGitlab();
		const set = vi.spyOn(globalThis, "setTimeout");
		const clear = vi.spyOn(globalThis, "clearTimeout");
		expect((await browser.follow(callback)).url.pathname).toBe("/home");
		const begun = set.mock.results.filter((_, at) => set.mock.calls[at]?.[1] === timeLimit);
		expect(begun).toHaveLength(2);
		for (const { value } of notEmpty(begun)) expect(clear).toHaveBeenCalledWith(value);
	});

	it.each([
		["/account-info", "/api/v4/user", 401, "FAILED_TO_GET_USER_INFO"],
		["/refresh-token", "/oauth/token", 400, "FAILED_TO_REFRESH_ACCESS_TOKEN"],
	])("that stops answering makes %s fail, but not with a 500", async (path, at, status, code) => {
		const { browser, callback } = await beginWithGitlab();
		await browser.follow(callback);
		const [account] = await accountsOf(browser);
		const accountId = String(account?.id);
		answers = {};
		asked = [];
		const response = await passTime(at, () =>
			path === "/account-info"
				? browser.fetch(`${path}?${new URLSearchParams({ accountId })}`)
				: browser.fetch(path, { body: { accountId } }),
		);
		expect([response.status, (await response.json()).code]).toEqual([status, code]);
	});

	describe("at the keys of an id token", () => {
		const keys = "/common/discovery/v2.0/keys";
		const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
		const token = `${part({ alg: "RS256", kid: "one" })}.${part({ sub: "1" })}.c2ln`;

		async function signInByIdToken() {
			const tenantId = await addTenant("microsoft", "authority");
			return () =>
				askSocialSignIn(new Browser(app), {
					tenantId,
					provider: "microsoft",
					idToken: { token },
				});
		}

		it("that never answers fails after ten seconds", async () => {
			const signIn = await signInByIdToken();
			expect((await passTime(keys, signIn)).status).toBe(401);
		});

		it("that answers without end is rejected", async () => {
			answers[keys] = endless;
			const signIn = await signInByIdToken();
			expect((await signIn()).status).toBe(401);
			expect(asked).toContain(keys);
		});
	});
});
