import { randomUUID } from "node:crypto";
import Database from "libsql";
import { beforeAll, describe, expect, it } from "vitest";
import { useIdentityProvider } from "../support/providers/identity-provider";
import { MANAGEMENT_KEY } from "../support/worlds/instance";
import {
	addTenantAt,
	beginSocial,
	makeSocialApp,
	readSession,
	type SocialApp,
} from "../support/worlds/social-app";

const provider = "gitlab";
const manager = { authorization: `Bearer ${MANAGEMENT_KEY}` };

describe("with a real provider", () => {
	const sqlite = new Database(":memory:");
	const gitlab = useIdentityProvider("gitlab");
	const github = useIdentityProvider("github");
	let app: SocialApp;

	beforeAll(async () => {
		app = await makeSocialApp({
			sqlite,
			account: { accountLinking: { allowDifferentEmails: true } },
		});
	});

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

	it.each(["who has an account", "who is new"])(
		"a user %s and comes back to a suspended tenant gets the error URL and no session",
		async (who) => {
			const { tenantId } = await addTenantAt(app, "gitlab", gitlab);
			const as = gitlab.addPerson({ email: `${randomUUID()}@example.com` });
			if (who === "who has an account") {
				const first = await beginSocial(app, { tenantId, provider });
				await first.browser.follow(first.url, { as });
				expect((await readSession(first.browser))?.user.tenantId).toBe(tenantId);
			}
			const { browser, url } = await beginSocial(app, { tenantId, provider });
			const away = await browser.follow(url, { as, until: isCallback });
			await manage("/suspend", { tenantId });
			const back = await browser.follow(away.url);
			expect(back.url.pathname).toBe("/failed");
			expect(back.url.searchParams.get("error")).toBe("TENANT_SUSPENDED");
			expect(await readSession(browser)).toBeNull();
			await manage("/resume", { tenantId });
			const users = await manage(`/user/list?tenantId=${tenantId}`);
			expect(users).toHaveLength(who === "who is new" ? 0 : 1);
			expect(await readSession(browser)).toBeNull();
		},
	);

	const accountsIn = (tenantId: string) =>
		sqlite.prepare("select providerId from account where tenantId = ?").all(tenantId);

	const suspend = (tenantId: string) => manage("/suspend", { tenantId });
	const beginDeletion = async (tenantId: string) =>
		sqlite
			.prepare("update tenant set erasingSince = ? where id = ?")
			.run(new Date().toISOString(), tenantId);

	// Core needs no user and no session to finish a link.
	it.each([
		["suspended now links nothing", suspend, "/failed", "TENANT_SUSPENDED", 1],
		["being deleted now links nothing", beginDeletion, "/failed", "TENANT_NOT_FOUND", 1],
		["open links the account", async () => {}, "/linked", null, 2],
	])("a link that comes back to a tenant that is %s", async (_, change, end, error, accounts) => {
		const { tenantId } = await addTenantAt(app, "gitlab", gitlab);
		await addTenantAt(app, "github", github, { tenantId });
		const { browser, url } = await beginSocial(app, { tenantId, provider });
		await browser.follow(url, { as: gitlab.addPerson({ email: `${randomUUID()}@example.com` }) });
		const response = await browser.fetch("/link-social", {
			body: { provider: "github", callbackURL: "/linked", errorCallbackURL: "/failed" },
		});
		const link: { url: string } = await response.json();
		const as = github.addPerson({ email: `${randomUUID()}@example.com` });
		const away = await browser.follow(link.url, { as, until: isCallback });
		await change(tenantId);
		const back = await browser.follow(away.url);
		expect([back.url.pathname, back.url.searchParams.get("error")]).toEqual([end, error]);
		expect(accountsIn(tenantId)).toHaveLength(accounts);
	});

	it("a wrong secret is shown to the management until the OAuth config is replaced", async () => {
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
