import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { exportTenant } from "better-auth-tenant/imports";
import Database from "libsql";
import * as openid from "openid-client";
import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { notEmpty } from "../../../testing/not-empty";
import { stopClock } from "../../../testing/stopped-clock";
import { createLog } from "../src/monitoring/log";
import { createService, type Service } from "../src/server";
import { loadSecrets } from "../src/settings/generated-secrets";
import { serviceConfig } from "../src/settings/service-config";
import { readSettings } from "../src/settings/settings";
import { fileOfDocument } from "./documented-app";
import { logoutReceiver } from "./logout-receiver";
import {
	atTheEndOfFile,
	authorizationRequest,
	type CreatedApplication,
	connect,
	type IssuingTenant,
	newBrowser,
	type RunningIssuers,
	runningIssuers,
	signInAt,
} from "./running-issuers";
import { asManager, managementKey } from "./running-service";
import { temporaryDirectory } from "./temporary-directory";

const atTheEnd = atTheEndOfFile();
const PASSWORD = "correct horse battery";
let issuers: RunningIssuers;
let acme: IssuingTenant;
let app: CreatedApplication;
let config: openid.Configuration;
let receiver: Awaited<ReturnType<typeof logoutReceiver>>;
let change: (sql: string, ...values: string[]) => void;
let server: Service;
/** How many sessions of a tenant have an app that wants to know their end. */
let count: (tenantId: string) => number;

const NO_JOBS = { WEBHOOK_INTERVAL_SECONDS: "0" };

/** Another server with the same database. It does its jobs when a test says so. */
async function anotherServer(environment: Record<string, string>, { baseUrl }: RunningIssuers) {
	const settings = readSettings(
		{
			BETTER_AUTH_SECRET: "a secret for tests with 32 characters and more: 8dK2!x",
			MANAGEMENT_KEYS: managementKey,
			LOG_LEVEL: "silent",
			...environment,
		},
		"/",
	);
	const config = serviceConfig(settings, loadSecrets(settings), Number(new URL(baseUrl).port));
	const service = await createService(config, createLog({ level: "silent", secrets: [] }));
	atTheEnd(service.close);
	return service;
}

beforeAll(async () => {
	const DATA_DIR = temporaryDirectory(atTheEnd);
	const environment = { DATA_DIR, ALLOW_PRIVATE_PROVIDER_HOSTS: "true" };
	issuers = await runningIssuers(atTheEnd, { ...environment, ...NO_JOBS });
	server = await anotherServer(environment, issuers);
	receiver = await logoutReceiver(atTheEnd);
	acme = await issuers.newTenant("acme");
	app = await issuers.createApplication(acme.tenantId, {
		backchannelLogoutUri: `${receiver.url}/logout`,
	});
	config = await connect(acme, app);
	const database = new Database(join(DATA_DIR, "auth.db"), { timeout: 5000 });
	atTheEnd(() => void database.close());
	change = (sql, ...values) => void database.prepare(sql).run(...values);
	const rows = database.prepare('select "id" from "applicationSession" where "tenantId" = ?');
	count = (tenantId) => rows.all(tenantId).length;
});

beforeEach(() => {
	receiver.received.length = 0;
});

type Browser = ReturnType<typeof newBrowser>;

/** What a page of the tenant calls. */
const call = (browser: Browser, path: string, body: object, { tenantId } = acme) =>
	issuers.post(path, body, {
		...{ "x-tenant-id": tenantId, origin: issuers.baseUrl, cookie: browser.cookieHeader() },
	});

/** A user signs in at the app, on a device of their own. */
async function useApp(tenant = acme, at = config) {
	const { browser, tokens } = await signInAt(issuers, tenant, at);
	return { browser, tokens, sid: String(tokens.claims()?.sid) };
}

/** A new user of the tenant, so that others keep their sessions. */
async function newUser(email: string): Promise<IssuingTenant> {
	const { tenantId } = acme;
	const headers = { "x-tenant-id": tenantId };
	const body = { name: "Grace Hopper", email, password: PASSWORD };
	const response = await issuers.post("/tenant/sign-up/email", body, headers);
	const { user } = (await response.json()) as { user: { id: string } };
	return { ...acme, email, userId: user.id };
}

/** What a server does every few seconds. */
const sendTokens = () => server.jobs.run("logout-tokens");

/** What the app hears of. */
async function tokens() {
	await sendTokens();
	return receiver.verified(acme, app.clientId);
}

describe("the app gets a logout token after", () => {
	type Device = Awaited<ReturnType<typeof useApp>> & { user: IssuingTenant };
	const managed =
		(path: string) =>
		(_: Device, { tenantId, userId }: IssuingTenant) =>
			issuers.manage(path, { tenantId, userId });

	it.each<[string, (device: Device, user: IssuingTenant) => Promise<unknown>]>([
		["a sign-out", ({ browser }) => call(browser, "/sign-out", {})],
		["a sign-out of all devices", ({ browser }) => call(browser, "/revoke-sessions", {})],
		[
			"a sign-out of all other devices",
			async (_, user) => call((await useApp(user)).browser, "/revoke-other-sessions", {}),
		],
		[
			"a changed password",
			({ browser }) =>
				call(browser, "/change-password", {
					currentPassword: PASSWORD,
					newPassword: "another horse battery",
					revokeOtherSessions: true,
				}),
		],
		["the end of all sessions by management", managed("/tenant/user/revoke-sessions")],
		[
			"the end of a session by management",
			({ sid: sessionId }, { tenantId, userId }) =>
				issuers.manage("/tenant/session/revoke", { tenantId, userId, sessionId }),
		],
		["the user was disabled", managed("/tenant/user/disable")],
		["the user was deleted", managed("/tenant/user/delete")],
		["the second factor was removed", managed("/tenant/user/remove-second-factor")],
	])("%s", async (name, end) => {
		const user = await newUser(`${name.replaceAll(" ", "-")}@acme.example.com`);
		const device = await useApp(user);
		await end({ ...device, user }, user);
		const [claims, ...others] = await tokens();
		expect(others).toEqual([]);
		expect(claims).toMatchObject({ iss: acme.issuer, sub: user.userId, sid: device.sid });
		expect(claims).not.toHaveProperty("nonce");
	});

	it("the session is over by the policy, when its browser comes back", async () => {
		const { tenantId } = acme;
		const { browser, sid } = await useApp();
		await issuers.manage("/tenant/policy/update", { tenantId, session: { idleTime: 3600 } });
		const before = new Date(Date.now() - 7_200_000).toISOString();
		change('update "session" set "updatedAt" = ? where "id" = ?', before, sid);
		const { url } = await authorizationRequest(config, { prompt: "none" });
		await browser.open(url);
		expect((await tokens()).map((claims) => claims.sid)).toEqual([sid]);
		await issuers.manage("/tenant/policy/update", { tenantId, session: { idleTime: null } });
	});
});

describe("the app gets no logout token after", () => {
	it("the session has expired", async () => {
		const { browser, sid } = await useApp();
		const before = new Date(Date.now() - 1000).toISOString();
		change('update "session" set "expiresAt" = ? where "id" = ?', before, sid);
		const { url } = await authorizationRequest(config, { prompt: "none" });
		await browser.open(url);
		expect(await tokens()).toEqual([]);
	});

	it("the session has expired, and nobody came back", async () => {
		const { sid } = await useApp();
		const live = await useApp();
		const before = count(acme.tenantId);
		const past = new Date(Date.now() - 1000).toISOString();
		change('update "session" set "expiresAt" = ? where "id" = ?', past, sid);
		expect(await server.jobs.run("clean-up")).toMatchObject({ applicationSessions: 1 });
		expect(await tokens()).toEqual([]);
		expect(count(acme.tenantId)).toBe(before - 1);
		await call(live.browser, "/sign-out", {});
		expect(await tokens()).toHaveLength(1);
	});

	it("nobody has sent it for a day", async () => {
		const { browser } = await useApp();
		await call(browser, "/sign-out", {});
		const before = new Date(Date.now() - 25 * 60 * 60 * 1000).toISOString();
		change('update "applicationSession" set "dueAt" = ? where "dueAt" is not null', before);
		expect(await server.jobs.run("clean-up")).toMatchObject({ applicationSessions: 1 });
		expect(await tokens()).toEqual([]);
	});

	it("its access was removed: the user is still signed in", async () => {
		const { browser } = await useApp();
		await call(browser, "/grant/remove", { clientId: app.clientId });
		expect(await tokens()).toEqual([]);
	});

	it("a session in which nobody has opened it", async () => {
		const browser = newBrowser(issuers);
		await browser.signIn(acme);
		await call(browser, "/sign-out", {});
		expect(await tokens()).toEqual([]);
	});

	it("the end of an impersonation", async () => {
		const { tenantId, userId } = acme;
		const { browser } = await useApp();
		await issuers.manage("/tenant/user/impersonate", { tenantId, userId, reason: "support" });
		const listed = await fetch(
			`${issuers.baseUrl}/api/auth/tenant/session/list?tenantId=${tenantId}`,
			{ headers: asManager },
		);
		const sessions = (await listed.json()) as { id: string; impersonatedBy: string | null }[];
		const [own] = sessions.filter(({ impersonatedBy }) => impersonatedBy !== null);
		const sessionId = own?.id ?? "";
		await issuers.manage("/tenant/session/revoke", { tenantId, userId, sessionId });
		expect(await tokens()).toEqual([]);
		await call(browser, "/sign-out", {});
		expect(await tokens()).toHaveLength(1);
	});

	it("the tenant was suspended, and none when it is deleted", async () => {
		const epsilon = await issuers.newTenant("epsilon");
		const backchannelLogoutUri = `${receiver.url}/epsilon`;
		const other = await issuers.createApplication(epsilon.tenantId, { backchannelLogoutUri });
		await useApp(epsilon, await connect(epsilon, other));
		const { tenantId } = epsilon;
		await issuers.manage("/tenant/suspend", { tenantId });
		await sendTokens();
		await issuers.manage("/tenant/delete", { tenantId });
		await sendTokens();
		expect(receiver.received).toEqual([]);
		expect(count(tenantId)).toBe(0);
	});
});

describe("of several apps and tenants", () => {
	it("each that was opened in the session gets a token of its own", async () => {
		const second = await issuers.createApplication(acme.tenantId, {
			backchannelLogoutUri: `${receiver.url}/second`,
		});
		const { browser, sid } = await useApp();
		const { url, checks } = await authorizationRequest(await connect(acme, second));
		const callback = (await browser.open(url)).url;
		await openid.authorizationCodeGrant(await connect(acme, second), callback, checks);
		await call(browser, "/sign-out", {});
		await sendTokens();
		expect(receiver.received.map(({ path }) => path).sort()).toEqual(["/logout", "/second"]);
		const [own] = receiver.received.filter(({ path }) => path === "/second");
		receiver.received.splice(0, 2, ...(own ? [own] : []));
		const [claims] = await receiver.verified(acme, second.clientId);
		expect(claims).toMatchObject({ aud: second.clientId, sid });
	});

	it("one of all tenants is told by the tenant, at the URI of the tenant", async () => {
		const beta = await issuers.newTenant("beta");
		const shared = await issuers.createServiceApplication({
			backchannelLogoutUri: `${receiver.url}/{tenant}/logout`,
		});
		const { browser, sid } = await useApp(beta, await connect(beta, shared));
		await call(browser, "/sign-out", {}, beta);
		await sendTokens();
		expect(receiver.received.map(({ path }) => path)).toEqual(["/beta/logout"]);
		const [claims] = await receiver.verified(beta, shared.clientId);
		expect(claims).toMatchObject({ iss: beta.issuer, sub: beta.userId, sid });
		await expect(receiver.verified(acme, shared.clientId)).rejects.toThrow();
	});

	it("one without backchannelLogoutSessionRequired gets the user only", async () => {
		const coarse = await issuers.createApplication(acme.tenantId, {
			backchannelLogoutUri: `${receiver.url}/coarse`,
			backchannelLogoutSessionRequired: false,
		});
		const { browser } = await useApp(acme, await connect(acme, coarse));
		await call(browser, "/sign-out", {});
		await sendTokens();
		const [claims] = await receiver.verified(acme, coarse.clientId);
		expect(claims).toMatchObject({ sub: acme.userId });
		expect(claims).not.toHaveProperty("sid");
	});

	it("one that is disabled gets none", async () => {
		const off = await issuers.createApplication(acme.tenantId, {
			backchannelLogoutUri: `${receiver.url}/off`,
		});
		const { browser } = await useApp(acme, await connect(acme, off));
		const { tenantId } = acme;
		const { clientId } = off;
		await issuers.manage("/tenant/application/update", { tenantId, clientId, disabled: true });
		await call(browser, "/sign-out", {});
		await sendTokens();
		expect(receiver.received).toEqual([]);
	});
});

describe("the app's server", () => {
	it.each([
		["that refuses a token is not asked again", 400, 1],
		["that redirects is not followed, and asked again later", 302, 2],
		["that is down is asked again later", 503, 2],
		["that is down for long is asked four times", 500, 4],
	])("%s", async (_, status, count) => {
		const { browser, sid } = await useApp();
		receiver.statuses.push(...Array.from({ length: count === 4 ? 9 : 1 }, () => status));
		expect((await call(browser, "/sign-out", {})).status).toBe(200);
		for (let run = 0; run < 6; run += 1) {
			await sendTokens();
			const sent = receiver.received.length;
			// It is not due yet.
			await sendTokens();
			expect(receiver.received).toHaveLength(sent);
			change('update "applicationSession" set "dueAt" = ? where "dueAt" is not null', "2000-01-01");
		}
		receiver.statuses.length = 0;
		const all = await receiver.verified(acme, app.clientId);
		expect(all.map((claims) => claims.sid)).toEqual(Array.from({ length: count }, () => sid));
		// Each attempt has a token of its own.
		expect(new Set(all.map(({ jti }) => jti)).size).toBe(count);
		expect(new Set(receiver.received.map(({ path }) => path))).toEqual(new Set(["/logout"]));
	});

	it("gets one token for each session, from several servers at the same time", async () => {
		const devices = [await useApp(), await useApp(), await useApp()];
		for (const { browser } of devices) await call(browser, "/sign-out", {});
		await Promise.all([sendTokens(), sendTokens(), sendTokens()]);
		const heard = (await tokens()).map((claims) => String(claims.sid));
		expect(heard.sort()).toEqual(devices.map(({ sid }) => sid).sort());
	});

	it("is not called again in a run in which it did not respond", async () => {
		const devices = [await useApp(), await useApp()];
		for (const { browser } of devices) await call(browser, "/sign-out", {});
		receiver.statuses.push(503);
		await sendTokens();
		expect(receiver.received).toHaveLength(1);
		change('update "applicationSession" set "dueAt" = ? where "dueAt" is not null', "2000-01-01");
		const heard = new Set((await tokens()).map((claims) => claims.sid));
		expect(heard).toEqual(new Set(devices.map(({ sid }) => sid)));
	});

	it("waits for the others if it is slow, with all that it has to be told", async () => {
		stopClock();
		const devices = [await useApp(), await useApp(), await useApp()];
		for (const { browser } of devices) await call(browser, "/sign-out", {});
		receiver.calls.once("call", () => vi.setSystemTime(Date.now() + 10_000));
		await sendTokens();
		expect(receiver.received).toHaveLength(1);
		await sendTokens();
		expect(receiver.received).toHaveLength(1);
		vi.setSystemTime(Date.now() + 30_000);
		const heard = new Set((await tokens()).map((claims) => claims.sid));
		expect(heard).toEqual(new Set(devices.map(({ sid }) => sid)));
	});

	it("is never called at a private address, also if its URI is from another time", async () => {
		const DATA_DIR = temporaryDirectory(atTheEnd);
		const environment = { DATA_DIR, ...NO_JOBS };
		const open = await runningIssuers(atTheEnd, {
			...{ ...environment, ALLOW_PRIVATE_PROVIDER_HOSTS: "true" },
		});
		const tenant = await open.newTenant("gamma");
		const backchannelLogoutUri = `${receiver.url}/private`;
		const created = await open.createApplication(tenant.tenantId, { backchannelLogoutUri });
		const { browser } = await signInAt(open, tenant, await connect(tenant, created));
		const headers = { "x-tenant-id": tenant.tenantId, origin: open.baseUrl };
		await open.post("/sign-out", {}, { ...headers, cookie: browser.cookieHeader() });
		const strict = await anotherServer(environment, open);
		expect(await strict.jobs.run("logout-tokens")).toEqual({ sent: 0, failed: 1 });
		expect(receiver.received).toEqual([]);
	});

	it("cannot be at a private address, or without TLS", async () => {
		const strict = await runningIssuers(atTheEnd);
		const { tenantId } = await strict.newTenant("delta");
		for (const backchannelLogoutUri of notEmpty([
			...["http://localhost:4000/logout", "https://10.0.0.1/logout", "https://db.internal/logout"],
			...["http://app.example.com/logout", "https://[::1]/logout"],
		])) {
			const created = strict.createApplication(tenantId, { backchannelLogoutUri });
			await expect(created).rejects.toThrow("INVALID_APPLICATION");
		}
	});
});

it("the code of the documentation reads logout tokens, and nothing else", async () => {
	process.env.ISSUER = acme.issuer;
	process.env.CLIENT_ID = app.clientId;
	onTestFinished(() => {
		delete process.env.ISSUER;
		delete process.env.CLIENT_ID;
	});
	const { readLogoutToken } = (await import(pathToFileURL(fileOfDocument("logout.mjs")).href)) as {
		readLogoutToken: (body: string) => Promise<{ userId: string; sid: string }>;
	};
	const { browser, sid, tokens: issued } = await useApp();
	await call(browser, "/sign-out", {});
	await sendTokens();
	const [sent] = receiver.received;
	expect(await readLogoutToken(String(sent?.form))).toEqual({ userId: acme.userId, sid });
	const idToken = new URLSearchParams({ logout_token: issued.id_token ?? "" });
	for (const body of ["", "logout_token=x", String(idToken)]) {
		await expect(readLogoutToken(body)).rejects.toThrow();
	}
});

it("a logout token is no access token, and no hint of a user", async () => {
	const { browser } = await useApp();
	await call(browser, "/sign-out", {});
	await sendTokens();
	const token = receiver.received[0]?.form.get("logout_token") ?? "";
	const headers = { authorization: `Bearer ${token}` };
	const info = await fetch(`${acme.issuer}/oauth2/userinfo`, { headers });
	expect(info.status).toBe(401);
	expect(await openid.tokenIntrospection(config, token)).toEqual({ active: false });
	const other = await useApp();
	const { url } = await authorizationRequest(config, { prompt: "none", id_token_hint: token });
	expect((await other.browser.open(url)).url.searchParams.get("error")).toBe("login_required");
	const endpoint = openid.buildEndSessionUrl(config, { id_token_hint: token });
	expect((await other.browser.open(endpoint)).url.pathname).toBe("/t/acme/sign-out");
});

it("a tenant that moves leaves behind which apps wait for the end of a session", async () => {
	await useApp();
	expect(count(acme.tenantId)).toBeGreaterThan(0);
	const lines: string[] = [];
	for await (const line of exportTenant(server.backend.auth, acme.tenantId)) lines.push(line);
	expect(lines.join("\n")).toContain('"oauthClient"');
	expect(lines.join("\n")).not.toContain("applicationSession");
});

describe("an application", () => {
	const create = (more: object) =>
		issuers.manage("/tenant/application/create", {
			...{ tenantId: acme.tenantId, name: "Notes", type: "web" },
			...{ redirectUris: ["https://app.example.com/callback"], ...more },
		});

	it.each([
		"/logout",
		"ftp://app.example.com/logout",
		"https://app.example.com/logout#part",
		"https://user:password@app.example.com/logout",
		"https://{tenant}.example.com/logout",
		"https://*.example.com/logout",
		`https://app.example.com/${"x".repeat(2100)}`,
	])("cannot have the URI %s", async (backchannelLogoutUri) => {
		await expect(create({ backchannelLogoutUri })).rejects.toThrow(
			/ 400 .*(VALIDATION_ERROR|INVALID_APPLICATION)/,
		);
	});

	it("without users has none", async () => {
		const job = { type: "machine", redirectUris: [] };
		const backchannelLogoutUri = "https://app.example.com/logout";
		await expect(create({ ...job, backchannelLogoutUri })).rejects.toThrow("INVALID_APPLICATION");
	});

	it("keeps its URI in a change of something else, and loses it", async () => {
		const backchannelLogoutUri = "https://app.example.com/logout?a=1";
		const { clientId } = await create({ backchannelLogoutUri });
		const update = (changes: object) =>
			issuers.manage("/tenant/application/update", {
				...{ tenantId: acme.tenantId, clientId, ...changes },
			});
		expect(await update({ name: "Notes 2" })).toMatchObject({
			...{ backchannelLogoutUri, backchannelLogoutSessionRequired: true },
		});
		expect(await update({ backchannelLogoutUri: null })).toMatchObject({
			backchannelLogoutUri: null,
		});
	});
});
