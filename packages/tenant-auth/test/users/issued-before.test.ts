import { apiKey } from "@better-auth/api-key";
import { oauthProvider } from "@better-auth/oauth-provider";
import { jwt, twoFactor } from "better-auth/plugins";
import { describe, expect, it } from "vitest";
import { expectRefusal } from "../support/http/refusal";
import { relyingParties } from "../support/providers/oauth-relying-party";
import { type InstanceOptions, makeInstance } from "../support/worlds/instance";
import { sessionStores } from "../support/worlds/session-stores";

/** A user with an API key that counts as a session. */
async function makeWorld(options: InstanceOptions = {}) {
	const keys = apiKey({ enableSessionForAPIKeys: true, rateLimit: { enabled: false } });
	const app = await makeInstance({ ...options, plugins: [keys, twoFactor()] });
	const tenantId = await app.makeTenant();
	const { body, cookie } = await app.signUp(tenantId);
	const created = await app.call("/api-key/create", { cookie, body: { name: "robot" } });
	const headers = { "x-api-key": String(created.body.key) };
	const withKey = (path: string, more: object = {}) => app.call(path, { headers, ...more });
	return { ...app, tenantId, cookie, userId: String(body.user.id), withKey };
}

const stores = sessionStores.filter(([, store]) => !store().session?.cookieCache);

describe.each(stores)("an API key that counts as a session, with sessions %s", (_, store) => {
	it("ends with its user, who is disabled", async () => {
		const { manage, withKey, tenantId, userId } = await makeWorld(store());
		expect((await withKey("/get-session")).body.user.id).toBe(userId);
		const body = { tenantId, userId };
		expect((await manage("/tenant/user/disable", { body })).status).toBe(200);
		for (const path of ["/get-session", "/list-sessions", "/tenant/current"]) {
			expectRefusal(await withKey(path), 403, "USER_DISABLED");
			expectRefusal(await withKey(path, { tenant: tenantId }), 403, "USER_DISABLED");
		}
		const update = await withKey("/update-user", { body: { name: "Mallory" } });
		expectRefusal(update, 403, "USER_DISABLED");
		await manage("/tenant/user/enable", { body });
		expect((await withKey("/get-session")).body.user.id).toBe(userId);
	});

	it("does not stand in for a second factor that the tenant requires", async () => {
		const { manage, withKey, tenantId } = await makeWorld(store());
		const body = { tenantId, secondFactor: { required: true } };
		expect((await manage("/tenant/policy/update", { body })).status).toBe(200);
		for (const path of ["/get-session", "/list-sessions"]) {
			expectRefusal(await withKey(path), 403, "SECOND_FACTOR_REQUIRED");
		}
		const update = await withKey("/update-user", { body: { name: "Mallory" } });
		expectRefusal(update, 403, "SECOND_FACTOR_REQUIRED");
	});
});

describe("tokens that your app has issued as an OAuth provider", () => {
	const provider = () =>
		oauthProvider({
			loginPage: "/login",
			consentPage: "/consent",
			allowDynamicClientRegistration: true,
			scopes: ["openid", "profile", "email", "offline_access"],
			clientRegistrationAllowedScopes: ["openid", "profile", "email", "offline_access"],
			clientPrivileges: async () => true,
		});

	it("end with their user, who is disabled", async () => {
		const app = await makeInstance({ plugins: [jwt(), provider()], disabledPaths: ["/token"] });
		const tenantId = await app.makeTenant();
		const { body, cookie } = await app.signUp(tenantId);
		const parties = relyingParties(app);
		const party = await parties.register(cookie);
		const { body: tokens } = await parties.redeem(party, await parties.obtainCode(party, cookie));
		const refresh = (refresh_token: string) =>
			parties.post("/oauth2/token", { grant_type: "refresh_token", refresh_token }, { party });
		const userInfo = (token: string) =>
			app.call("/oauth2/userinfo", { headers: { authorization: `Bearer ${token}` } });
		const refreshed = await refresh(tokens.refresh_token);
		expect(refreshed.status).toBe(200);
		expect((await userInfo(refreshed.body.access_token)).status).toBe(200);
		const late = await parties.obtainCode(party, cookie);
		const disable = { tenantId, userId: body.user.id };
		expect((await app.manage("/tenant/user/disable", { body: disable })).status).toBe(200);
		expect((await refresh(refreshed.body.refresh_token)).status).toBe(400);
		expect((await userInfo(refreshed.body.access_token)).status).toBeGreaterThanOrEqual(400);
		expect((await parties.redeem(party, late)).status).toBe(400);
	});
});
