import { once } from "node:events";
import type * as openid from "openid-client";
import { beforeAll, expect, it } from "vitest";
import { logoutReceiver } from "./logout-receiver";
import {
	atTheEndOfFile,
	authorizationRequest,
	type CreatedApplication,
	connect,
	type IssuingTenant,
	POST_LOGOUT_URI,
	type RunningIssuers,
	runningIssuers,
	signInAt,
} from "./running-issuers";

/**
 * The plan "Back-Channel Logout" of the OpenID Foundation, driven with openid-client and jose. The tests have
 * the names of the modules. Its module for the sign-out is on a server that does its jobs by itself.
 */
const atTheEnd = atTheEndOfFile();
let issuers: RunningIssuers;
let acme: IssuingTenant;
let app: CreatedApplication;
let receiver: Awaited<ReturnType<typeof logoutReceiver>>;
let config: openid.Configuration;

beforeAll(async () => {
	issuers = await runningIssuers(atTheEnd, {
		ALLOW_PRIVATE_PROVIDER_HOSTS: "true",
		WEBHOOK_INTERVAL_SECONDS: "1",
	});
	acme = await issuers.newTenant("acme");
	receiver = await logoutReceiver(atTheEnd);
	app = await issuers.createApplication(acme.tenantId, {
		backchannelLogoutUri: `${receiver.url}/logout`,
	});
	config = await connect(acme, app);
});

it("oidcc-backchannel-logout-discovery-endpoint-verification", () => {
	expect(config.serverMetadata()).toMatchObject({
		backchannel_logout_supported: true,
		backchannel_logout_session_supported: true,
		end_session_endpoint: `${acme.issuer}/oauth2/end-session`,
	});
});

it("oidcc-backchannel-rp-initiated-logout", async () => {
	const { browser, tokens } = await signInAt(issuers, acme, config, { scope: "openid" });
	const endpoint = new URL(config.serverMetadata().end_session_endpoint ?? "");
	endpoint.searchParams.set("id_token_hint", tokens.id_token ?? "");
	endpoint.searchParams.set("post_logout_redirect_uri", POST_LOGOUT_URI);
	endpoint.searchParams.set("state", "the-state");
	const called = once(receiver.calls, "call");
	const { url } = await browser.open(endpoint);
	expect(String(url)).toBe(`${POST_LOGOUT_URI}?state=the-state`);
	await called;
	expect(receiver.received).toMatchObject([
		{ path: "/logout", contentType: expect.stringContaining("application/x-www-form-urlencoded") },
	]);
	const [claims] = await receiver.verified(acme, app.clientId);
	expect(claims).toEqual({
		iss: acme.issuer,
		aud: app.clientId,
		sub: acme.userId,
		sid: tokens.claims()?.sid,
		iat: expect.any(Number),
		exp: expect.any(Number),
		jti: expect.stringMatching(/^\w{32}$/),
		events: { "http://schemas.openid.net/event/backchannel-logout": {} },
	});
	expect(Number(claims?.exp) - Number(claims?.iat)).toBe(120);
	const { url: silent } = await authorizationRequest(config, { prompt: "none" });
	const after = (await browser.open(silent)).url.searchParams;
	expect(after.get("error")).toBe("login_required");
});
