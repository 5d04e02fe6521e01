import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Browser } from "../support/http/browser";
import { useIdentityProvider } from "../support/providers/identity-provider";
import { MANAGEMENT_KEY } from "../support/worlds/instance";
import {
	addTenantAt,
	askSocialSignIn,
	beginSocial,
	hostProvider,
	makeSocialApp,
	readSession,
	type SocialApp,
} from "../support/worlds/social-app";

const isCallback = (url: URL) => url.pathname.includes("/tenant/callback/");

describe("a policy about social sign-in", () => {
	const gitlab = useIdentityProvider("gitlab");
	let app: SocialApp;
	let tenantId: string;
	const provider = "gitlab";

	beforeAll(async () => {
		const client = await gitlab.addClient({
			redirectURIs: ["https://app.example.com/api/auth/callback/gitlab"],
		});
		app = await makeSocialApp({ socialProviders: hostProvider(provider, gitlab, client) });
	});
	beforeEach(async () => {
		({ tenantId } = await addTenantAt(app, "gitlab", gitlab));
	});

	const change = (policy: object, id = tenantId): Promise<Response> =>
		app.handler(
			new Request(`${app.baseURL}/tenant/policy/update`, {
				method: "POST",
				headers: {
					"content-type": "application/json",
					authorization: `Bearer ${MANAGEMENT_KEY}`,
				},
				body: JSON.stringify({ tenantId: id, ...policy }),
			}),
		);

	async function update(policy: object, id = tenantId): Promise<void> {
		expect((await change(policy, id)).status).toBe(200);
	}

	const person = (domain = "example.com") =>
		gitlab.addPerson({ email: `${randomUUID()}@${domain}` });

	it("refuses the start with a provider that it does not allow", async () => {
		await update({ signIn: { providers: ["google"] } });
		const refused = await askSocialSignIn(new Browser(app), { tenantId, provider });
		expect(refused.status).toBe(403);
		expect(await refused.json()).toMatchObject({ code: "SIGN_IN_METHOD_NOT_ALLOWED" });
		await update({ signIn: { providers: ["google", provider] } });
		const { browser, url } = await beginSocial(app, { tenantId, provider });
		await browser.follow(url, { as: person() });
		expect((await readSession(browser))?.session.tenantId).toBe(tenantId);
	});

	it.each([
		["providers", { signIn: { providers: [] } }, "SIGN_IN_METHOD_NOT_ALLOWED"],
		["methods", { signIn: { methods: ["password"] } }, "SIGN_IN_METHOD_NOT_ALLOWED"],
		["sign-up", { signUp: { mode: "closed" } }, "SIGN_UP_NOT_ALLOWED"],
		["email domains", { signUp: { emailDomains: ["acme.com"] } }, "EMAIL_DOMAIN_NOT_ALLOWED"],
	])("ends a flow that started before its %s changed", async (_, policy, code) => {
		const { browser, url } = await beginSocial(app, { tenantId, provider });
		const away = await browser.follow(url, { as: person(), until: isCallback });
		await update(policy);
		const back = await browser.follow(away.url);
		expect([back.url.pathname, back.url.searchParams.get("error")]).toEqual(["/failed", code]);
		expect(await readSession(browser)).toBeNull();
	});

	it.each([
		["a provider that does not exist", { providers: ["nonexistent"] }],
		["no method", { methods: [] }],
		["social sign-in alone, and no provider", { methods: ["social"], providers: [] }],
	])("does not accept %s", async (_, signIn) => {
		const refused = await change({ signIn });
		expect([refused.status, (await refused.json()).code]).toEqual([400, "INVALID_POLICY"]);
	});

	it("accepts the tenant's own provider before it is registered", async () => {
		await update({ signIn: { providers: ["oidc:corp"] } });
		// And a change of other rules, whatever was removed since.
		await update({ password: { minLength: 12 } });
	});

	it("lets known users in although sign-up is closed", async () => {
		const as = person();
		const first = await beginSocial(app, { tenantId, provider });
		await first.browser.follow(first.url, { as });
		await update({ signUp: { mode: "closed", emailDomains: ["acme.com"] } });
		const again = await beginSocial(app, { tenantId, provider });
		await again.browser.follow(again.url, { as });
		expect(await readSession(again.browser)).not.toBeNull();
	});

	it("hides the app's providers if it does not fall back to them", async () => {
		const other = await app.createTenant();
		await beginSocial(app, { tenantId: other, provider });
		await update({ signIn: { fallbackToGlobal: false } }, other);
		const refused = await askSocialSignIn(new Browser(app), { tenantId: other, provider });
		expect(refused.status).toBe(404);
		const url = `/tenant/login-options?tenantId=${other}`;
		const options = await (await new Browser(app).fetch(url)).json();
		expect(options).toMatchObject({
			providers: [],
			methods: expect.not.arrayContaining(["social"]),
		});
		await update({ signIn: { fallbackToGlobal: false } });
		await beginSocial(app, { tenantId, provider });
	});
});
