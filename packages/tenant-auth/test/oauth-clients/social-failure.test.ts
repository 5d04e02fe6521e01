import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { Browser } from "../support/http/browser";
import { startIdentityProvider, useIdentityProvider } from "../support/providers/identity-provider";
import { addTenantAt, beginSocial, makeSocialApp, readSession } from "../support/worlds/social-app";
import { useWorld } from "../support/worlds/world";

const provider = "gitlab";

describe("a social sign-in that fails", () => {
	const gitlab = useIdentityProvider("gitlab");
	const world = useWorld(async () => {
		const app = await makeSocialApp();
		const { tenantId } = await addTenantAt(app, "gitlab", gitlab);
		return { ...app, tenantId };
	});

	const newPerson = (claims: Record<string, unknown> = {}) =>
		gitlab.addPerson({ email: `${randomUUID()}@example.com`, claims });

	it("goes to errorCallbackURL with error and error_description, and keeps its query", async () => {
		const app = world();
		const { tenantId } = app;
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

	it("goes to the error URL of the app if the flow has none", async () => {
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

	it("goes to the error page of Better Auth if neither the flow nor the app has an error URL", async () => {
		const app = world();
		const { tenantId } = app;
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
		["an unknown state", "?code=abc&state=made-up"],
		["nothing at all", ""],
		["an error and no state", "?error=access_denied"],
	])("goes to the error page with %s", async (_, query) => {
		const app = world();
		const browser = new Browser(app);
		const visit = await browser.follow(`${app.callbackOf("gitlab")}${query}`);
		expect(visit.url.pathname).toBe("/api/auth/error");
		expect(visit.url.searchParams.get("error")).toBeTruthy();
		expect(await readSession(browser)).toBeNull();
	});

	it.each([
		["a state that comes twice", "?code=abc&state=one&state=two"],
		["unexpected parameters", "?code=abc&state[]=one&tenantId=two&constructor=three"],
		["a NUL", "?code=abc&state=%00"],
		["a very long state", `?code=abc&state=${"s".repeat(20_000)}`],
	])("goes to the error page with %s, and not to a 500", async (_, query) => {
		const app = world();
		const visit = await new Browser(app).follow(`${app.callbackOf("gitlab")}${query}`);
		expect(visit.url.pathname).toBe("/api/auth/error");
		expect(visit.url.searchParams.get("error")).toBeTruthy();
	});

	it.each([
		["JSON", "application/json", '{"code":"abc","state":["made","up"]}'],
		["an empty form", "application/x-www-form-urlencoded", ""],
		["a list", "application/json", "[1,2]"],
		["invalid JSON", "application/json", "{"],
		["a multipart form", "multipart/form-data; boundary=x", "--x--"],
	])("does not end in a 500 if the callback receives %s", async (_, type, body) => {
		const app = world();
		const headers = { "content-type": type };
		const request = new Request(app.callbackOf("gitlab"), { method: "POST", headers, body });
		expect((await app.handler(request)).status).toBeLessThan(500);
	});

	it("reports that the provider rejected the code", async () => {
		const app = world();
		const { tenantId } = app;
		const { browser, url } = await beginSocial(app, { tenantId, provider });
		const state = new URL(url).searchParams.get("state");
		const visit = await browser.follow(`${app.callbackOf("gitlab")}?code=made-up&state=${state}`);
		expect(visit.url.href).toBe(`${app.origin}/failed?error=invalid_code`);
	});

	it("reports a missing code", async () => {
		const app = world();
		const { tenantId } = app;
		const { browser, url } = await beginSocial(app, { tenantId, provider });
		const state = new URL(url).searchParams.get("state");
		const visit = await browser.follow(`${app.callbackOf("gitlab")}?state=${state}`);
		expect(visit.url.href).toBe(`${app.origin}/failed?error=no_code`);
	});

	it("reports an account that the provider has blocked", async () => {
		const app = world();
		const { tenantId } = app;
		const { browser, url } = await beginSocial(app, { tenantId, provider });
		const visit = await browser.follow(url, { as: newPerson({ state: "blocked" }) });
		expect(visit.url.href).toBe(`${app.origin}/failed?error=unable_to_get_user_info`);
		expect(await readSession(browser)).toBeNull();
	});

	it("reports an account without an email", async () => {
		const app = world();
		const { tenantId } = app;
		const { browser, url } = await beginSocial(app, { tenantId, provider });
		const visit = await browser.follow(url, { as: newPerson({ email: null }) });
		expect(visit.url.href).toBe(`${app.origin}/failed?error=email_not_found`);
	});

	it("goes to errorCallbackURL if the provider is not reachable at the callback", async () => {
		const app = world();
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

	it("reports an unknown provider", async () => {
		const app = world();
		for (const name of ["__proto__", "constructor", "nobody"]) {
			const visit = await new Browser(app).follow(`${app.callbackOf(name)}?code=a&state=b`);
			expect(visit.status ?? 200).toBeLessThan(500);
			expect(visit.url.searchParams.get("error")).toBeTruthy();
		}
	});
});
