import { expect, test } from "vitest";
import { notEmpty } from "../../../testing/not-empty";
import {
	asManager,
	cookiesOf,
	newTenant,
	newUser,
	type RunningService,
	runningService,
} from "./running-service";

const environment = {
	BETTER_AUTH_URL: "https://auth.example.com",
	TENANT_DOMAIN: "example.com",
	ALLOW_PRIVATE_PROVIDER_HOSTS: "true",
};
const at = (host: string, path: string) => `https://${host}/api/auth${path}`;

async function withTenants() {
	const service = await runningService(environment, { keepsEmails: true });
	const acme = await newTenant(service.post, "acme");
	const globex = await newTenant(service.post, "globex");
	return { ...service, acme, globex };
}

const codeOf = async (response: Response) => ((await response.json()) as { code: string }).code;

test("the host decides the tenant, and another one does not exist there", async () => {
	const { post, call, acme, globex } = await withTenants();
	const path = at("acme.example.com", "/tenant/sign-up/email");
	const other = await post(path, { ...newUser("ada@example.com"), tenantId: globex });
	expect(other.status).toBe(404);
	expect(await other.json()).toMatchObject({ code: "TENANT_NOT_FOUND" });
	const signedUp = await post(path, newUser("ada@example.com"), { "x-tenant-id": globex });
	expect(await signedUp.json()).toMatchObject({ session: { tenantId: acme } });
	for (const cookie of notEmpty(signedUp.headers.getSetCookie())) {
		expect(cookie).not.toMatch(/domain=/i);
		expect(cookie).toContain("Secure");
	}
	const cookie = cookiesOf(signedUp);
	const own = await call(at("acme.example.com", "/get-session"), { headers: { cookie } });
	expect(await own.json()).toMatchObject({ session: { tenantId: acme } });
	const elsewhere = await call(at("globex.example.com", "/get-session"), { headers: { cookie } });
	expect(await elsewhere.json()).toBeNull();
});

test("a host without a tenant gets 404", async () => {
	const { post, call } = await withTenants();
	for (const host of [
		"nobody.example.com",
		"a.acme.example.com",
		"acme-.example.com",
		"acme.example.com.",
		"auth.example.com:8443",
		"evil.example",
		"127.0.0.1",
		"[::1]",
	]) {
		const responses = [
			await call(at(host, "/get-session")),
			await post(at(host, "/tenant/sign-in/email"), newUser("ada@example.com")),
			await post(at(host, "/sign-in/email"), newUser("ada@example.com")),
		];
		for (const response of notEmpty(responses)) {
			expect(response.status).toBe(404);
			expect(await codeOf(response)).toBe("TENANT_NOT_FOUND");
		}
	}
});

test("the server's own host belongs to no tenant, and its name is a reserved slug", async () => {
	const { call, post, acme } = await withTenants();
	expect((await call(at("auth.example.com", "/get-session"))).status).toBe(200);
	const named = await post("/tenant/sign-up/email", newUser("ada@example.com"), {
		"x-tenant-id": acme,
	});
	expect(await named.json()).toMatchObject({ session: { tenantId: acme } });
	const elsewhere = await runningService({
		...environment,
		BETTER_AUTH_URL: "https://login.example.com",
	});
	const taken = await elsewhere.post("/tenant/create", { name: "x", slug: "login" }, asManager);
	expect(await codeOf(taken)).toBe("SLUG_RESERVED");
});

test("links and redirect URIs use the host that was called", async () => {
	const service: RunningService & { acme: string } = await withTenants();
	const { post, backend } = service;
	const config = { providerId: "google", clientId: "client", clientSecret: "secret" };
	const named = { ...asManager, "x-tenant-id": service.acme };
	await post("/tenant/oauth-config/register", config, named);
	const body = { provider: "google", callbackURL: "/account" };
	const started = await post(at("acme.example.com", "/tenant/sign-in/social"), body);
	const { url } = (await started.json()) as { url: string };
	expect(new URL(url).searchParams.get("redirect_uri")).toBe(
		"https://acme.example.com/api/auth/tenant/callback/google",
	);

	const user = newUser("ada@example.com");
	await post(at("acme.example.com", "/tenant/sign-up/email"), user);
	await post(at("acme.example.com", "/request-password-reset"), { email: user.email });
	const [email] = (await backend.mailer.outbox?.list()) ?? [];
	expect(email?.text).toContain("https://acme.example.com/api/auth/reset-password/");
	expect(email?.text).toContain(encodeURIComponent("https://acme.example.com/new-password"));
});

test("a page of one tenant cannot change anything on the host of another", async () => {
	const { post } = await withTenants();
	const from = async (origin: string) => {
		const url = at("acme.example.com", "/tenant/sign-in/email");
		return (await post(url, newUser("nobody@example.com"), { origin })).status;
	};
	expect(await from("https://globex.example.com")).toBe(403);
	expect(await from("https://acme.example.com")).toBe(401);
	expect(await from("https://auth.example.com")).toBe(401);
});

test("management works on the server's own host", async () => {
	const { call } = await withTenants();
	const listed = await call("/service/overview", { headers: asManager });
	expect(await listed.json()).toMatchObject({ tenants: 2, users: 0 });
});
