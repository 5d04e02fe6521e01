import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Browser } from "../support/browser";
import { type IdentityProvider, startIdentityProvider } from "../support/identity-provider";
import { addTenantAt, beginSocial, makeSocialApp, readSession } from "../support/social-app";

const provider = "gitlab";

describe("a social sign-in that fails", () => {
	let gitlab: IdentityProvider;

	beforeAll(async () => {
		gitlab = await startIdentityProvider("gitlab");
	});

	afterAll(() => gitlab.close());

	const newPerson = (claims: Record<string, unknown> = {}) =>
		gitlab.addPerson({ email: `${randomUUID()}@example.com`, claims });

	it("goes to errorCallbackURL with error and error_description, and keeps its own query", async () => {
		const app = await makeSocialApp();
		const { tenantId } = await addTenantAt(app, "gitlab", gitlab);
		const errorCallbackURL = "/failed?from=login";
		const { browser, url } = await beginSocial(app, { tenantId, provider, errorCallbackURL });
		const visit = await browser.follow(url, { as: newPerson(), consent: "deny" });
		expect(visit.url.pathname).toBe("/failed");
		expect(Object.fromEntries(visit.url.searchParams)).toMatchObject({
			from: "login",
			error: "access_denied",
			error_description: "The user said no",
		});
	});

	it("goes to the host's error URL where the flow has none", async () => {
		const app = await makeSocialApp({ onAPIError: { errorURL: "https://app.example.com/oops" } });
		const { tenantId } = await addTenantAt(app, "gitlab", gitlab);
		const { browser, url } = await beginSocial(app, {
			tenantId,
			provider,
			errorCallbackURL: undefined,
		});
		const visit = await browser.follow(url, { as: newPerson(), consent: "deny" });
		expect(visit.url.pathname).toBe("/oops");
		expect(visit.url.searchParams.get("error")).toBe("access_denied");
		expect(visit.url.searchParams.get("error_description")).toBe("The user said no");
	});

	it("goes to Better Auth's error page where neither the flow nor the host has one", async () => {
		const app = await makeSocialApp();
		const { tenantId } = await addTenantAt(app, "gitlab", gitlab);
		const { browser, url } = await beginSocial(app, {
			tenantId,
			provider,
			errorCallbackURL: undefined,
		});
		const visit = await browser.follow(url, { as: newPerson(), consent: "deny" });
		expect(visit.url.pathname).toBe("/api/auth/error");
		expect(visit.url.searchParams.get("error")).toBe("access_denied");
		expect(visit.status).toBe(200);
	});

	it.each([
		["no state", "?code=abc"],
		["a state that nobody began", "?code=abc&state=made-up"],
		["nothing at all", ""],
		["an error and no state", "?error=access_denied"],
	])("goes to the host's error URL with %s", async (_, query) => {
		const app = await makeSocialApp();
		const browser = new Browser(app);
		const visit = await browser.follow(`${app.callbackOf("gitlab")}${query}`);
		expect(visit.url.pathname).toBe("/api/auth/error");
		expect(visit.url.searchParams.get("error")).toBeTruthy();
		expect(await readSession(browser)).toBeNull();
	});

	it.each([
		["a state that comes twice", "?code=abc&state=one&state=two"],
		["names of its own", "?code=abc&state[]=one&tenantId=two&constructor=three"],
		["a NUL", "?code=abc&state=%00"],
		["a very long state", `?code=abc&state=${"s".repeat(20_000)}`],
	])("goes to the host's error URL with %s, and never ends in a 500", async (_, query) => {
		const app = await makeSocialApp();
		const visit = await new Browser(app).follow(`${app.callbackOf("gitlab")}${query}`);
		expect(visit.url.pathname).toBe("/api/auth/error");
		expect(visit.url.searchParams.get("error")).toBeTruthy();
	});

	it.each([
		["JSON", "application/json", '{"code":"abc","state":["made","up"]}'],
		["an empty form", "application/x-www-form-urlencoded", ""],
		["a list", "application/json", "[1,2]"],
		["no JSON", "application/json", "{"],
		["a multipart form", "multipart/form-data; boundary=x", "--x--"],
	])("does not end in a 500 when %s is posted", async (_, type, body) => {
		const app = await makeSocialApp();
		const headers = { "content-type": type };
		const request = new Request(app.callbackOf("gitlab"), { method: "POST", headers, body });
		expect((await app.handler(request)).status).toBeLessThan(500);
	});

	it("names the code that the provider refused", async () => {
		const app = await makeSocialApp();
		const { tenantId } = await addTenantAt(app, "gitlab", gitlab);
		const { browser, url } = await beginSocial(app, { tenantId, provider });
		const state = new URL(url).searchParams.get("state");
		const visit = await browser.follow(`${app.callbackOf("gitlab")}?code=made-up&state=${state}`);
		expect(visit.url.href).toBe(`${app.origin}/failed?error=invalid_code`);
	});

	it("names a code that is missing", async () => {
		const app = await makeSocialApp();
		const { tenantId } = await addTenantAt(app, "gitlab", gitlab);
		const { browser, url } = await beginSocial(app, { tenantId, provider });
		const state = new URL(url).searchParams.get("state");
		const visit = await browser.follow(`${app.callbackOf("gitlab")}?state=${state}`);
		expect(visit.url.href).toBe(`${app.origin}/failed?error=no_code`);
	});

	it("names an account that the provider has blocked", async () => {
		const app = await makeSocialApp();
		const { tenantId } = await addTenantAt(app, "gitlab", gitlab);
		const { browser, url } = await beginSocial(app, { tenantId, provider });
		const visit = await browser.follow(url, { as: newPerson({ state: "blocked" }) });
		expect(visit.url.href).toBe(`${app.origin}/failed?error=unable_to_get_user_info`);
		expect(await readSession(browser)).toBeNull();
	});

	it("names an account without an address", async () => {
		const app = await makeSocialApp();
		const { tenantId } = await addTenantAt(app, "gitlab", gitlab);
		const { browser, url } = await beginSocial(app, { tenantId, provider });
		const visit = await browser.follow(url, { as: newPerson({ email: null }) });
		expect(visit.url.href).toBe(`${app.origin}/failed?error=email_not_found`);
	});

	it("goes to errorCallbackURL when the provider is gone at the callback", async () => {
		const app = await makeSocialApp();
		const vanishing = await startIdentityProvider("gitlab");
		const { tenantId } = await addTenantAt(app, "gitlab", vanishing);
		const person = vanishing.addPerson({ email: "ada@example.com" });
		const { browser, url } = await beginSocial(app, { tenantId, provider });
		const until = (at: URL) => at.pathname.includes("/callback/");
		const { url: callback } = await browser.follow(url, { as: person, until });
		await vanishing.close();
		const visit = await browser.follow(callback);
		expect(visit.url.pathname).toBe("/failed");
		expect(visit.url.searchParams.get("error")).toBeTruthy();
	});

	it("does not answer for a provider that is none", async () => {
		const app = await makeSocialApp();
		for (const name of ["__proto__", "constructor", "nobody"]) {
			const visit = await new Browser(app).follow(`${app.callbackOf(name)}?code=a&state=b`);
			expect(visit.status ?? 200).toBeLessThan(500);
			expect(visit.url.searchParams.get("error")).toBeTruthy();
		}
	});
});
