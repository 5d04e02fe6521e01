import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type IdentityProvider, startIdentityProvider } from "./support/identity-provider";
import {
	addTenantAt,
	beginSocial,
	makeSocialApp,
	readSession,
	type SocialApp,
} from "./support/social-app";

const provider = "gitlab";
const manager = { authorization: "Bearer management-key-of-the-tests" };

describe("with a real provider", () => {
	let gitlab: IdentityProvider;
	let app: SocialApp;

	beforeAll(async () => {
		gitlab = await startIdentityProvider("gitlab");
		app = await makeSocialApp();
	});
	afterAll(() => gitlab.close());

	async function manage(path: string, body?: object) {
		const response = await app.handler(
			new Request(`${app.baseURL}/tenant${path}`, {
				headers: { ...manager, "content-type": "application/json" },
				...(body ? { method: "POST", body: JSON.stringify(body) } : {}),
			}),
		);
		return response.json();
	}

	const isCallback = (url: URL) => url.pathname.includes("/tenant/callback/");

	it.each(["who was here before", "who is new"])(
		"a user %s and comes back to a suspended tenant ends at the error URL, with no session",
		async (who) => {
			const { tenantId } = await addTenantAt(app, "gitlab", gitlab);
			const as = gitlab.addPerson({ email: `${randomUUID()}@example.com` });
			if (who === "who was here before") {
				const first = await beginSocial(app, { tenantId, provider });
				await first.browser.follow(first.url, { as });
				expect((await readSession(first.browser))?.user.tenantId).toBe(tenantId);
			}
			const { browser, url } = await beginSocial(app, { tenantId, provider });
			const away = await browser.follow(url, { as, until: isCallback });
			await manage("/suspend", { tenantId });
			const back = await browser.follow(away.url);
			expect(back.url.pathname).toBe("/failed");
			expect(back.url.searchParams.get("error")).toMatch(/tenant.*suspended/i);
			expect(await readSession(browser)).toBeNull();
			await manage("/resume", { tenantId });
			const users = await manage(`/user/list?tenantId=${tenantId}`);
			expect(users).toHaveLength(who === "who is new" ? 0 : 1);
			expect(await readSession(browser)).toBeNull();
		},
	);

	it("a wrong secret is told to those who manage, until the client is replaced", async () => {
		const { tenantId, config } = await addTenantAt(app, "gitlab", gitlab);
		const lastFailure = async () => {
			const list = await manage(`/oauth-config/effective?tenantId=${tenantId}`);
			const found = list.find((it: { providerId: string }) => it.providerId === provider);
			expect(found).toMatchObject({ source: "tenant", config: "own" });
			return found.lastFailure;
		};
		const signIn = async (consent?: "deny") => {
			const { browser, url } = await beginSocial(app, { tenantId, provider });
			const as = gitlab.addPerson({ email: `${randomUUID()}@example.com` });
			return browser.follow(url, { as, ...(consent ? { consent } : {}) });
		};
		await signIn("deny");
		expect(await lastFailure()).toBeNull();
		await app.registerConfig({ ...config, clientSecret: "not the one" });
		expect((await signIn()).url.searchParams.get("error")).toBe("invalid_code");
		expect(await lastFailure()).toEqual({ at: expect.any(String), code: "invalid_code" });
		await app.registerConfig(config);
		expect(await lastFailure()).toBeNull();
		expect((await signIn()).url.pathname).toBe("/home");
		expect(await lastFailure()).toBeNull();
	});
});
