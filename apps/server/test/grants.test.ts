import * as openid from "openid-client";
import { beforeAll, describe, expect, it } from "vitest";
import {
	atTheEndOfFile,
	authorizationRequest,
	connect,
	type IssuingTenant,
	newBrowser,
	type RunningIssuers,
	runningIssuers,
	signInAt,
} from "./running-issuers";
import { asManager } from "./running-service";

let issuers: RunningIssuers;
let acme: IssuingTenant;
let globex: IssuingTenant;

const atTheEnd = atTheEndOfFile();

beforeAll(async () => {
	issuers = await runningIssuers(atTheEnd);
	acme = await issuers.newTenant("acme");
	globex = await issuers.newTenant("globex");
});

type Grant = { clientId: string; name: string; scopes: string[]; hasTokens: boolean };

async function call(path: string, headers: Record<string, string>, body?: object) {
	const response = await fetch(`${issuers.baseUrl}/api/auth${path}`, {
		method: body ? "POST" : "GET",
		headers: { "content-type": "application/json", origin: issuers.baseUrl, ...headers },
		...(body ? { body: JSON.stringify(body) } : {}),
	});
	return { status: response.status, body: (await response.json()) as Grant[] & { code?: string } };
}

/** A user consents to an application of somebody else. */
async function consentAt(tenant: IssuingTenant) {
	const application = await issuers.createApplication(tenant.tenantId, { firstParty: false });
	const config = await connect(tenant, application);
	const browser = newBrowser(issuers);
	const { url, checks } = await authorizationRequest(config);
	const page = await browser.open(url);
	const { url: consentPage = "" } = await browser.signIn(tenant, page.url);
	const { url: callback } = await browser.consent(tenant, new URL(consentPage));
	const tokens = await openid.authorizationCodeGrant(config, new URL(callback), checks);
	return { ...application, config, browser, tokens, cookie: browser.cookieHeader() };
}

const outcomeOf = (
	config: openid.Configuration,
	{ refresh_token = "" }: { refresh_token?: string },
) =>
	openid.refreshTokenGrant(config, refresh_token).then(
		() => "refreshed",
		(error: { error?: string }) => error.error,
	);

describe("a user", () => {
	it("sees which applications have access, and ends it", async () => {
		const { clientId, config, browser, tokens, cookie } = await consentAt(acme);
		const other = await consentAt(acme);
		const listed = await call("/grant/list", { cookie });
		expect(listed.body.find((it) => it.clientId === clientId)).toMatchObject({
			name: "Notes",
			scopes: ["openid", "profile", "email", "offline_access"],
			hasTokens: true,
		});
		expect((await call("/grant/remove", { cookie }, { clientId })).status).toBe(200);
		expect(await outcomeOf(config, tokens)).toBe("invalid_grant");
		expect(await openid.tokenIntrospection(config, tokens.access_token)).toEqual({ active: false });
		expect(await outcomeOf(other.config, other.tokens)).toBe("refreshed");
		const left = (await call("/grant/list", { cookie })).body.map((it) => it.clientId);
		expect(left).not.toContain(clientId);
		expect(left).toContain(other.clientId);
		// The application has to ask again.
		const { url } = await browser.open((await authorizationRequest(config)).url);
		expect(url.pathname).toBe("/t/acme/consent");
	});

	it("also sees applications that need no consent", async () => {
		const application = await issuers.createServiceApplication({ name: "Own" });
		const config = await connect(acme, application);
		const { browser, tokens } = await signInAt(issuers, acme, config);
		const cookie = browser.cookieHeader();
		const { clientId } = application;
		const listed = (await call("/grant/list", { cookie })).body;
		expect(listed).toContainEqual(expect.objectContaining({ clientId, name: "Own" }));
		expect((await call("/grant/remove", { cookie }, { clientId })).status).toBe(200);
		expect(await outcomeOf(config, tokens)).toBe("invalid_grant");
	});

	it("sees nothing without a session", async () => {
		expect((await call("/grant/list", {})).status).toBe(401);
		expect((await call("/grant/remove", {}, { clientId: "any" })).status).toBe(401);
	});
});

describe("whoever manages a tenant", () => {
	it("sees and ends the access of applications to a user, with an audit event", async () => {
		const { clientId, config, tokens } = await consentAt(acme);
		const { tenantId, userId } = acme;
		const query = new URLSearchParams({ tenantId, userId });
		const listed = await call(`/tenant/grant/list?${query}`, asManager);
		expect(listed.body).toContainEqual(expect.objectContaining({ clientId, hasTokens: true }));
		const revoked = await call("/tenant/grant/revoke", asManager, { tenantId, userId, clientId });
		expect(revoked.status).toBe(200);
		expect(await outcomeOf(config, tokens)).toBe("invalid_grant");
		const events = await call(`/tenant/audit/list?tenantId=${tenantId}`, asManager);
		expect(events.body[0]).toMatchObject({
			action: "grant:revoke",
			targetId: userId,
			detail: { clientId },
		});
	});

	it("reaches no user of another tenant", async () => {
		const { clientId, config, tokens } = await consentAt(globex);
		const named = { tenantId: acme.tenantId, userId: globex.userId };
		const listed = await call(`/tenant/grant/list?${new URLSearchParams(named)}`, asManager);
		const revoked = await call("/tenant/grant/revoke", asManager, { ...named, clientId });
		expect([listed.body.code, revoked.body.code]).toEqual(["USER_NOT_FOUND", "USER_NOT_FOUND"]);
		expect(await outcomeOf(config, tokens)).toBe("refreshed");
	});

	it("does not reach a user whose role permits more", async () => {
		const tenant = await issuers.newTenant("ranks");
		const { clientId, config, tokens } = await consentAt(tenant);
		const { tenantId, userId } = tenant;
		await issuers.manage("/tenant/user/update", { tenantId, userId, role: "owner" });
		const admin = { name: "Admin", email: "admin@ranks.example.com", role: "admin" };
		const password = "correct horse battery";
		await issuers.manage("/tenant/user/create", { tenantId, ...admin, password });
		const browser = newBrowser(issuers);
		await browser.signIn({ ...tenant, email: admin.email });
		const cookie = browser.cookieHeader();
		const revoked = await call("/tenant/grant/revoke", { cookie }, { tenantId, userId, clientId });
		expect([revoked.status, revoked.body.code]).toEqual([403, "ROLE_NOT_ALLOWED"]);
		expect(await outcomeOf(config, tokens)).toBe("refreshed");
	});
});
