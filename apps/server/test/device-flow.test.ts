import { join } from "node:path";
import { exportJWK, generateKeyPair } from "jose";
import Database from "libsql";
import * as openid from "openid-client";
import { beforeAll, describe, expect, it } from "vitest";
import {
	API,
	atTheEndOfFile,
	type CreatedApplication,
	connect,
	type IssuingTenant,
	newBrowser,
	type RunningIssuers,
	runningIssuers,
} from "./running-issuers";
import { asManager } from "./running-service";
import { temporaryDirectory } from "./temporary-directory";

const atTheEnd = atTheEndOfFile();
const GRANT = "urn:ietf:params:oauth:grant-type:device_code";
const SCOPE = "openid profile offline_access";

let issuers: RunningIssuers;
let acme: IssuingTenant;
let globex: IssuingTenant;
let change: (sql: string, ...values: string[]) => void;

beforeAll(async () => {
	const DATA_DIR = temporaryDirectory(atTheEnd);
	issuers = await runningIssuers(atTheEnd, { DATA_DIR });
	acme = await issuers.newTenant("acme");
	globex = await issuers.newTenant("globex");
	const database = new Database(join(DATA_DIR, "auth.db"), { timeout: 5000 });
	atTheEnd(() => void database.close());
	change = (sql, ...values) => void database.prepare(sql).run(...values);
});

const newTelevision = (tenant = acme, more: object = {}) =>
	issuers.createApplication(tenant.tenantId, {
		...{ type: "native", deviceFlow: true, redirectUris: [], postLogoutRedirectUris: [] },
		...more,
	});

type Browser = ReturnType<typeof newBrowser>;

/** A browser in which the user of a tenant is signed in. */
async function signedIn(tenant = acme): Promise<Browser> {
	const browser = newBrowser(issuers);
	await browser.signIn(tenant);
	return browser;
}

/** What the page of a tenant calls. */
async function callPage(
	path: string,
	{
		query = {},
		body,
		cookie,
		tenant = acme,
	}: {
		query?: Record<string, string>;
		body?: object;
		cookie: string;
		tenant?: IssuingTenant;
	},
) {
	const url = new URL(`${issuers.baseUrl}/api/auth${path}`);
	for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
	const response = await fetch(url, {
		method: body ? "POST" : "GET",
		headers: {
			...(body ? { "content-type": "application/json" } : {}),
			"x-tenant-id": tenant.tenantId,
			origin: issuers.baseUrl,
			cookie,
		},
		...(body ? { body: JSON.stringify(body) } : {}),
	});
	const shown = (await response.json()) as Record<string, unknown>;
	return { status: response.status, body: shown };
}

const look = (browser: Browser, user_code: string, tenant = acme) =>
	callPage("/device", { query: { user_code }, cookie: browser.cookieHeader(), tenant });

const decide = (browser: Browser, verdict: string, userCode: string, tenant = acme) =>
	callPage(`/device/${verdict}`, { body: { userCode }, cookie: browser.cookieHeader(), tenant });

async function allow(browser: Browser, code: string, tenant = acme) {
	expect((await look(browser, code, tenant)).status).toBe(200);
	expect((await decide(browser, "approve", code, tenant)).body).toEqual({ success: true });
}

/** One poll, without the pause that a device has to make. */
async function poll(
	tenant: IssuingTenant,
	{ clientId }: CreatedApplication,
	{ device_code }: { device_code: string },
	more: Record<string, string> = {},
) {
	change('update "deviceCode" set "lastPolledAt" = null');
	const response = await fetch(`${tenant.issuer}/oauth2/token`, {
		method: "POST",
		body: new URLSearchParams({ grant_type: GRANT, client_id: clientId, device_code, ...more }),
	});
	return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const errorOf = async (polled: ReturnType<typeof poll>) => (await polled).body.error;

const outcomeOf = (call: Promise<unknown>): Promise<unknown> =>
	call.then(
		() => "succeeded",
		(error: { error?: string }) => error.error,
	);

async function ask(application: CreatedApplication, tenant = acme, scope = SCOPE) {
	const config = await connect(tenant, application);
	return { config, asked: await openid.initiateDeviceAuthorization(config, { scope }) };
}

describe("a device without a browser", () => {
	it("gets tokens when the user allows it", async () => {
		const { config, asked } = await ask(await newTelevision());
		expect(asked).toMatchObject({
			user_code: expect.stringMatching(/^[A-Z]{4}-[A-Z]{4}$/),
			verification_uri: `${acme.issuer}/device`,
			verification_uri_complete: `${acme.issuer}/device?user_code=${asked.user_code}`,
			expires_in: 600,
			interval: 5,
		});
		const browser = await signedIn();
		expect((await look(browser, asked.user_code)).body).toMatchObject({
			status: "pending",
			client_id: config.clientMetadata().client_id,
			scope: SCOPE,
		});
		await allow(browser, asked.user_code);
		const tokens = await openid.pollDeviceAuthorizationGrant(config, asked);
		const claims = tokens.claims();
		expect(claims).toMatchObject({ iss: acme.issuer, sub: acme.userId });
		expect(claims).toMatchObject({ tenant_id: acme.tenantId, auth_time: expect.any(Number) });
		const user = await openid.fetchUserInfo(config, tokens.access_token, acme.userId);
		expect(user.name).toBe("Ada Lovelace");
		const next = await openid.refreshTokenGrant(config, tokens.refresh_token ?? "");
		expect(next.claims()?.sub).toBe(acme.userId);
	});

	it("can have a secret, and be an application of all tenants", async () => {
		const application = await issuers.createServiceApplication({ deviceFlow: true });
		const { config, asked } = await ask(application, globex);
		await allow(await signedIn(globex), asked.user_code, globex);
		const tokens = await openid.pollDeviceAuthorizationGrant(config, asked);
		expect(tokens.claims()?.sub).toBe(globex.userId);
		const other = await ask(application, globex);
		const withoutSecret = await poll(globex, application, other.asked);
		expect(withoutSecret.body.error).toBe("invalid_client");
	});

	it("can have keys in place of a secret", async () => {
		const { privateKey, publicKey } = await generateKeyPair("ES256");
		const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: "one", alg: "ES256" }] };
		const application = await newTelevision(acme, {
			...{ type: "web", jwks, accessTokenMinutes: 5 },
		});
		const method = openid.PrivateKeyJwt({ key: privateKey, kid: "one" });
		const config = await connect(acme, application, method);
		const asked = await openid.initiateDeviceAuthorization(config, { scope: SCOPE });
		await allow(await signedIn(), asked.user_code);
		const tokens = await openid.pollDeviceAuthorizationGrant(config, asked);
		expect([tokens.claims()?.sub, tokens.expires_in]).toEqual([acme.userId, 300]);
		expect(await outcomeOf(ask(application))).toBe("invalid_client");
	});

	it("gets a token for an API that the user has seen", async () => {
		const application = await newTelevision();
		const config = await connect(acme, application);
		const asked = await openid.initiateDeviceAuthorization(config, {
			scope: "read",
			resource: API,
		});
		const browser = await signedIn();
		expect((await look(browser, asked.user_code)).body.resource).toBe(API);
		await allow(browser, asked.user_code);
		const tokens = await openid.pollDeviceAuthorizationGrant(config, asked);
		expect(tokens.access_token.split(".")).toHaveLength(3);
	});

	it("waits until the user decides, and not too fast", async () => {
		const application = await newTelevision();
		const { asked } = await ask(application);
		expect(await errorOf(poll(acme, application, asked))).toBe("authorization_pending");
		const response = await fetch(`${acme.issuer}/oauth2/token`, {
			method: "POST",
			body: new URLSearchParams({
				...{ grant_type: GRANT, client_id: application.clientId },
				device_code: asked.device_code,
			}),
		});
		expect([response.status, await response.json()]).toMatchObject([400, { error: "slow_down" }]);
	});

	it("is told that the user did not allow it", async () => {
		const application = await newTelevision();
		const { asked } = await ask(application);
		const browser = await signedIn();
		await look(browser, asked.user_code);
		expect((await decide(browser, "deny", asked.user_code)).status).toBe(200);
		expect((await decide(browser, "approve", asked.user_code)).status).toBe(400);
		expect(await errorOf(poll(acme, application, asked))).toBe("access_denied");
		expect(await errorOf(poll(acme, application, asked))).toBe("invalid_grant");
	});

	it("is told that its code has expired", async () => {
		const application = await newTelevision();
		const { asked } = await ask(application);
		const browser = await signedIn();
		await look(browser, asked.user_code);
		const past = new Date(Date.now() - 1000).toISOString();
		change('update "deviceCode" set "expiresAt" = ?', past);
		expect((await decide(browser, "approve", asked.user_code)).body.error).toBe("expired_token");
		expect(await errorOf(poll(acme, application, asked))).toBe("expired_token");
	});

	it("gets tokens once, also with requests at the same time", async () => {
		const application = await newTelevision();
		const { asked } = await ask(application);
		await allow(await signedIn(), asked.user_code);
		const polls = Array.from({ length: 6 }, () => poll(acme, application, asked));
		const statuses = (await Promise.all(polls)).map(({ status }) => status);
		expect(statuses.filter((status) => status === 200)).toHaveLength(1);
		expect(await errorOf(poll(acme, application, asked))).toBe("invalid_grant");
	});
});

describe("the code of a device", () => {
	it("means nothing at another tenant", async () => {
		const [television, other] = [await newTelevision(), await newTelevision(globex)];
		const { asked } = await ask(television);
		const stranger = await signedIn(globex);
		expect((await look(stranger, asked.user_code, globex)).body.error).toBe("invalid_request");
		expect((await decide(stranger, "approve", asked.user_code, globex)).status).toBe(400);
		// A session of another tenant.
		expect((await look(stranger, asked.user_code)).status).toBe(401);
		expect((await decide(stranger, "approve", asked.user_code)).status).toBe(401);
		await allow(await signedIn(), asked.user_code);
		expect(await errorOf(poll(globex, other, asked))).toBe("invalid_grant");
		expect(await errorOf(poll(globex, television, asked))).toMatch(/^invalid_(grant|client)$/);
		expect((await poll(acme, television, asked)).status).toBe(200);
	});

	it("means nothing to another application", async () => {
		const [television, other] = [await newTelevision(), await newTelevision()];
		const { asked } = await ask(television);
		await allow(await signedIn(), asked.user_code);
		expect(await errorOf(poll(acme, other, asked))).toBe("invalid_grant");
		expect((await poll(acme, television, asked)).status).toBe(200);
	});

	it("belongs to the first user who looks at it, and is hidden from others", async () => {
		const { asked } = await ask(await newTelevision());
		await look(await signedIn(), asked.user_code);
		const { tenantId } = acme;
		const email = "bob@acme.example.com";
		await issuers.post(
			"/tenant/sign-up/email",
			{ name: "Bob", email, password: "correct horse battery" },
			{ "x-tenant-id": tenantId },
		);
		const bob = await signedIn({ ...acme, email });
		const { status, body } = await look(bob, asked.user_code);
		expect([status, body.client_id]).toEqual([200, undefined]);
		expect((await decide(bob, "approve", asked.user_code)).status).toBe(403);
	});

	it("is shown to nobody without a session", async () => {
		const { asked } = await ask(await newTelevision());
		const nobody = newBrowser(issuers);
		for (const code of [asked.user_code, "BBBB-BBBB"]) {
			expect((await look(nobody, code)).status).toBe(401);
		}
		expect((await decide(nobody, "approve", asked.user_code)).status).toBe(401);
	});

	it("can be typed in small letters, with spaces", async () => {
		const { asked } = await ask(await newTelevision());
		const typed = ` ${asked.user_code.toLowerCase().replace("-", " ")} `;
		await allow(await signedIn(), typed);
	});

	it.each([
		["no code", ""],
		["one with NUL", "BBBBBBBB\0"],
		["one with vowels", "AEIOUAEI"],
		["an unknown one", "BBBB-BBBB"],
		["a sign", "%"],
		["a long one", "B".repeat(5000)],
	])("is refused if it is %s", async (_, code) => {
		const browser = await signedIn();
		expect((await look(browser, code)).status).toBe(400);
		expect((await decide(browser, "approve", code)).status).toBe(400);
		expect((await decide(browser, "deny", code)).status).toBe(400);
	});

	it("is not allowed by somebody who impersonates a user", async () => {
		const application = await newTelevision();
		const { asked } = await ask(application);
		const { tenantId, userId } = acme;
		const response = await issuers.post(
			"/tenant/user/impersonate",
			{ tenantId, userId, reason: "A ticket", setCookie: true },
			{ ...asManager, origin: issuers.baseUrl },
		);
		const cookie = response.headers
			.getSetCookie()
			.map((one) => one.split(";")[0])
			.join("; ");
		expect(cookie).toContain("session_token");
		await callPage("/device", { query: { user_code: asked.user_code }, cookie });
		const body = { userCode: asked.user_code };
		expect((await callPage("/device/approve", { body, cookie })).status).toBe(401);
		expect(await errorOf(poll(acme, application, asked))).toBe("authorization_pending");
	});
});

describe("the tokens of a device", () => {
	/** A device that a user has allowed, and the session in which that was. */
	async function allowed(tenant = acme, more: object = {}) {
		const application = await newTelevision(tenant, more);
		const { config, asked } = await ask(application, tenant);
		const browser = await signedIn(tenant);
		await allow(browser, asked.user_code, tenant);
		return { application, config, asked, browser };
	}

	it("end with the session in which the user allowed it", async () => {
		const { config, application, asked, browser } = await allowed();
		const { body } = await poll(acme, application, asked);
		await callPage("/sign-out", { body: {}, cookie: browser.cookieHeader() });
		const refreshed = openid.refreshTokenGrant(config, String(body.refresh_token));
		expect(await outcomeOf(refreshed)).toBe("invalid_grant");
	});

	it.each([
		["may", {}, "succeeded"],
		["may not", { offlineAccess: false }, "invalid_grant"],
	])("outlive an expired session if the application %s", async (_, more, outcome) => {
		const { config, application, asked } = await allowed(acme, more);
		const { body } = await poll(acme, application, asked);
		const past = new Date(Date.now() - 1000).toISOString();
		change('update "session" set "expiresAt" = ?', past);
		const refreshed = openid.refreshTokenGrant(config, String(body.refresh_token));
		expect(await outcomeOf(refreshed)).toBe(outcome);
	});

	it("are refused if the user removes the access of the application before it asks again", async () => {
		const { application, asked, browser } = await allowed();
		const { clientId } = application;
		const cookie = browser.cookieHeader();
		expect((await callPage("/grant/remove", { body: { clientId }, cookie })).status).toBe(200);
		expect(await errorOf(poll(acme, application, asked))).toBe("invalid_grant");
	});

	it("are refused if the user signs out before it asks again", async () => {
		const { application, asked, browser } = await allowed();
		await callPage("/sign-out", { body: {}, cookie: browser.cookieHeader() });
		expect(await errorOf(poll(acme, application, asked))).toBe("invalid_grant");
	});

	it("are refused if the user is disabled, the tenant suspended, or the application changed", async () => {
		const initech = await issuers.newTenant("initech");
		const { tenantId, userId } = initech;
		const first = await allowed(initech);
		const { clientId } = first.application;
		const update = (changes: object) =>
			issuers.manage("/tenant/application/update", { tenantId, clientId, ...changes });
		const outcome = () => errorOf(poll(initech, first.application, first.asked));
		await update({ disabled: true });
		expect(await outcome()).toBe("invalid_client");
		await update({ disabled: false, deviceFlow: false, redirectUris: ["https://a.example.com/"] });
		expect(await outcome()).toBe("unauthorized_client");
		await update({ deviceFlow: true });
		await issuers.manage("/tenant/suspend", { tenantId });
		expect((await poll(initech, first.application, first.asked)).status).toBe(403);
		await issuers.manage("/tenant/resume", { tenantId });
		await issuers.manage("/tenant/user/disable", { tenantId, userId });
		expect(await outcome()).toBe("invalid_grant");
	});
});

describe("an application", () => {
	it.each([["spa"], ["machine"]])("of type %s cannot use the device flow", async (type) => {
		const body = { tenantId: acme.tenantId, name: "TV", type, deviceFlow: true };
		const redirectUris = type === "spa" ? ["https://app.example.com/"] : [];
		const response = await issuers.post(
			"/tenant/application/create",
			{ ...body, redirectUris },
			asManager,
		);
		expect([response.status, await response.json()]).toMatchObject([
			...[400, { code: "INVALID_APPLICATION" }],
		]);
	});

	it("cannot use the device flow unless it is allowed to", async () => {
		const application = await issuers.createApplication(acme.tenantId, { type: "native" });
		expect(await outcomeOf(ask(application))).toBe("unauthorized_client");
	});

	it.each([
		["no scope", {}, "invalid_scope"],
		["an unknown scope", { scope: "everything" }, "invalid_scope"],
		["a long scope", { scope: "openid ".repeat(1000) }, "invalid_scope"],
		["a user", { scope: "openid", user_id: "ada" }, "invalid_request"],
		[
			"an unknown API",
			{ scope: "openid", resource: "https://other.example.com" },
			"invalid_target",
		],
		["an unknown application", { scope: "openid", client_id: "nobody" }, "invalid_client"],
	])("is refused with %s", async (_, fields, error) => {
		const { clientId } = await newTelevision();
		const response = await fetch(`${acme.issuer}/device/code`, {
			method: "POST",
			body: new URLSearchParams({ client_id: clientId, ...fields }),
		});
		expect([response.status < 500, await response.json()]).toMatchObject([true, { error }]);
	});

	it("has no other way to the codes", async () => {
		const paths = ["/device/code", "/device/token"];
		const statuses = await Promise.all(
			paths.map(async (path) => {
				const body = { grant_type: GRANT, client_id: "x", device_code: "x", scope: "openid" };
				return (await issuers.post(path, body, { "x-tenant-id": acme.tenantId })).status;
			}),
		);
		expect(statuses).toEqual([404, 404]);
	});
});
