import { randomUUID } from "node:crypto";
import { type BetterAuthOptions, betterAuth } from "better-auth";
import { reencryptStoredSecrets, tenantAuth } from "better-auth-tenant";
import { describe, expect, it } from "vitest";
import { countKept } from "../support/processes/garbage";
import { useIdentityProvider } from "../support/providers/identity-provider";
import { type Instance, MANAGEMENT_KEY, makeInstance } from "../support/worlds/instance";
import { addTenantAt, beginSocial, makeSocialApp, readSession } from "../support/worlds/social-app";

const secret = "the secret that was in use until now, long enough";
const newest = "the secret that takes its place, long enough too!";
const providerId = "gitlab" as const;

/** The same app on the same database, in another process. */
function startAnother({ options }: Instance, change: Partial<BetterAuthOptions> = {}) {
	const { secret, ...rest } = options;
	const plugins = [tenantAuth({ managementKeys: [MANAGEMENT_KEY] })];
	return betterAuth({ ...(rest as BetterAuthOptions), secret, ...change, plugins });
}

/** An instance that has used the client of a tenant. */
async function makeUsed(options: Parameters<typeof makeInstance>[0] = {}) {
	const instance = await makeInstance({ secret, ...options });
	const other = startAnother(instance);
	const tenantId = await instance.makeTenant();
	const config = { tenantId, providerId, clientId: "first", clientSecret: "s" };
	await instance.manage("/tenant/oauth-config/register", { body: config });
	expect(await clientOf(instance, tenantId)).toBe("first");
	/** Another instance changes something. */
	async function change(path: string, body: object): Promise<void> {
		const response = await other.handler(
			new Request(`https://app.example.com/api/auth/tenant${path}`, {
				method: "POST",
				headers: {
					"content-type": "application/json",
					authorization: `Bearer ${MANAGEMENT_KEY}`,
				},
				body: JSON.stringify(body),
			}),
		);
		expect(response.status).toBe(200);
	}
	return { instance, tenantId, config, change };
}

async function start({ call }: Instance, tenantId: string, headers: Record<string, string> = {}) {
	const body = { tenantId, provider: providerId, callbackURL: "/home" };
	return call("/tenant/sign-in/social", { body, headers });
}

async function pageOf(instance: Instance, tenantId: string): Promise<URLSearchParams> {
	const { body } = await start(instance, tenantId);
	return new URL(body.url).searchParams;
}

const clientOf = async (instance: Instance, tenantId: string) =>
	(await pageOf(instance, tenantId)).get("client_id");

describe("the client of a tenant that an instance has used before", () => {
	const gitlab = useIdentityProvider("gitlab");

	it("is replaced at once when another instance registers a new one", async () => {
		const { instance, tenantId, config, change } = await makeUsed();
		await change("/oauth-config/register", { ...config, clientId: "second" });
		expect(await clientOf(instance, tenantId)).toBe("second");
		await change("/oauth-config/register", { ...config, clientId: "third" });
		expect(await clientOf(instance, tenantId)).toBe("third");
	});

	it("gets the scopes that another instance has set", async () => {
		const { instance, tenantId, change } = await makeUsed();
		await change("/oauth-config/update", { tenantId, providerId, scopes: ["read_api"] });
		expect((await pageOf(instance, tenantId)).get("scope")).toContain("read_api");
	});

	it("gets the secret that another instance has rotated", async () => {
		const app = await makeSocialApp();
		const other = await makeSocialApp({ sqlite: app.database });
		const { tenantId, client, config } = await addTenantAt(app, providerId, gitlab);
		const signIn = async () => {
			const person = gitlab.addPerson({ email: `${randomUUID()}@example.com` });
			const { browser, url } = await beginSocial(app, { tenantId, provider: providerId });
			await browser.follow(url, { as: person });
			return (await readSession(browser))?.session.tenantId;
		};
		expect(await signIn()).toBe(tenantId);
		const clientSecret = "the rotated secret of the same client";
		await gitlab.addClient({ ...client, clientSecret });
		expect(await signIn()).toBeUndefined();
		await other.registerConfig({ ...config, clientSecret });
		expect(await signIn()).toBe(tenantId);
	});

	it("is not used after another instance has deleted or disabled it", async () => {
		const socialProviders = { gitlab: { clientId: "of the app", clientSecret: "s" } };
		const { instance, tenantId, config, change } = await makeUsed({ socialProviders });
		await change("/oauth-config/delete", { tenantId, providerId });
		expect(await clientOf(instance, tenantId)).toBe("of the app");
		await change("/oauth-config/register", { ...config, clientId: "created again" });
		expect(await clientOf(instance, tenantId)).toBe("created again");
		await change("/oauth-config/update", { tenantId, providerId, enabled: false });
		expect(await clientOf(instance, tenantId)).toBe("of the app");
	});

	it("is not used while the tenant is suspended", async () => {
		const { instance, tenantId, change } = await makeUsed();
		await change("/suspend", { tenantId });
		const { status, body } = await start(instance, tenantId);
		expect([status, body.code]).toEqual([403, "TENANT_SUSPENDED"]);
		await change("/resume", { tenantId });
		expect(await clientOf(instance, tenantId)).toBe("first");
	});

	it("is not used after it was encrypted with a secret that the instance does not have", async () => {
		const { instance, tenantId } = await makeUsed();
		const rotated = startAnother(instance, { secrets: [{ version: 1, value: newest }] });
		expect(await reencryptStoredSecrets(rotated)).toMatchObject({ reencrypted: 1 });
		const { body } = await start(instance, tenantId);
		expect(body.code).toBe("OAUTH_CREDENTIAL_DECRYPT_FAILED");
	});

	it("is still used after it was encrypted with the newest secret", async () => {
		const secrets = [{ version: 1, value: newest }];
		const { instance, tenantId } = await makeUsed({ secrets });
		const rotated = startAnother(instance, {
			secrets: [{ version: 2, value: "a third secret, long enough as well" }, ...secrets],
		});
		await reencryptStoredSecrets(rotated);
		const back = startAnother(instance, {
			secrets: [...secrets, { version: 2, value: "a third secret, long enough as well" }],
		});
		await reencryptStoredSecrets(back);
		expect(await clientOf(instance, tenantId)).toBe("first");
	});

	it("is not used by another tenant with the same client id", async () => {
		const { instance, tenantId, config } = await makeUsed();
		const otherId = await instance.makeTenant();
		await instance.manage("/tenant/oauth-config/register", {
			body: { ...config, tenantId: otherId, scopes: ["read_api"] },
		});
		const pages = await Promise.all(
			[tenantId, otherId, tenantId, otherId].map((id) => pageOf(instance, id)),
		);
		const scopes = pages.map((page) => page.get("scope"));
		expect(scopes).toEqual(["read_user", "read_user read_api", "read_user", "read_user read_api"]);
	});

	it("sends each user back to the host that was called", async () => {
		const { instance, tenantId } = await makeUsed();
		const { handler } = startAnother(instance, {
			baseURL: { allowedHosts: ["*.example.com"], protocol: "https" },
		});
		const redirectFrom = async (host: string) => {
			const response = await handler(
				new Request(`https://${host}/api/auth/tenant/sign-in/social`, {
					method: "POST",
					headers: { "content-type": "application/json" },
					body: JSON.stringify({ tenantId, provider: providerId, callbackURL: "/home" }),
				}),
			);
			return new URL((await response.json()).url).searchParams.get("redirect_uri");
		};
		for (const host of ["one.example.com", "two.example.com", "one.example.com"]) {
			const expected = `https://${host}/api/auth/tenant/callback/gitlab`;
			expect(await redirectFrom(host)).toBe(expected);
		}
	});
	it("keeps nothing of the request that it was built in", async () => {
		const { instance } = await makeUsed();
		const { handler } = startAnother(instance);
		const requests: WeakRef<Request>[] = [];
		for (let count = 0; count < 10; count++) {
			const tenantId = await instance.makeTenant();
			const config = { tenantId, providerId, clientId: "own", clientSecret: "s" };
			await instance.manage("/tenant/oauth-config/register", { body: config });
			const request = new Request("https://app.example.com/api/auth/tenant/sign-in/social", {
				method: "POST",
				headers: { "content-type": "application/json" },
				body: JSON.stringify({ tenantId, provider: providerId, callbackURL: "/home" }),
			});
			requests.push(new WeakRef(request));
			expect((await handler(request)).status).toBe(200);
		}
		expect(await countKept(requests)).toBeLessThanOrEqual(1);
	});
});
