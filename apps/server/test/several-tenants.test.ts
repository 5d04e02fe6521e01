import { describe, expect, onTestFinished, test } from "vitest";
import { startRogueProvider } from "../../../packages/tenant-auth/test/support/providers/rogue-provider";
import { makeSamlIdentityProvider } from "../../../packages/tenant-auth/test/support/providers/saml-identity-provider";
import { totpOf } from "../../../packages/tenant-auth/test/support/providers/totp";
import { newJar, tenantWithUser } from "./cookie-jar";
import { newOperator } from "./operator-accounts";
import { asManager, cookiesOf, newUser, useService } from "./running-service";
import { samlTenant } from "./saml/saml-tenant";

const service = useService({
	SAML: "true",
	BEARER_SESSIONS: "true",
	ALLOW_PRIVATE_PROVIDER_HOSTS: "true",
});
const { password } = newUser("ada@example.com");

/** A browser that has signed in to Acme first, and then to Globex. */
async function signedInTwice() {
	const running = await service();
	const acme = await tenantWithUser(running, "acme");
	const globex = await tenantWithUser(running, "globex");
	const jar = newJar(running);
	expect((await jar.signIn(acme)).status).toBe(200);
	expect((await jar.signIn(globex)).status).toBe(200);
	return { running, acme, globex, jar };
}

test("a browser that signs in to a second tenant stays signed in to the first", async () => {
	const { acme, globex, jar } = await signedInTwice();
	for (const tenant of [acme, globex, acme, globex]) {
		expect(await jar.tenantOf(tenant)).toBe(tenant.id);
		const sessions = await jar.send("/list-sessions", { tenant });
		expect(await sessions.json()).toMatchObject([
			{ userId: tenant.userId },
			{ userId: tenant.userId },
		]);
	}
});

describe("a request that names no tenant", () => {
	test("has the session that was created last", async () => {
		const { acme, globex, jar } = await signedInTwice();
		expect(await jar.activeTenant()).toBe(globex.id);
		await jar.signIn(acme);
		expect(await jar.activeTenant()).toBe(acme.id);
	});

	test("has the session that a page has asked for last", async () => {
		const { acme, globex, jar } = await signedInTwice();
		expect(await jar.tenantOf(acme)).toBe(acme.id);
		expect(await jar.activeTenant()).toBe(acme.id);
		// Only the question who is signed in changes it.
		expect((await jar.send("/list-sessions", { tenant: globex })).status).toBe(200);
		expect(await jar.activeTenant()).toBe(acme.id);
		expect(await jar.tenantOf(globex)).toBe(globex.id);
		expect(await jar.activeTenant()).toBe(globex.id);
	});

	test("has no session of another tenant after the sign-out", async () => {
		const { acme, globex, jar } = await signedInTwice();
		expect((await jar.send("/sign-out", { body: {} })).status).toBe(200);
		expect(await jar.activeTenant()).toBeNull();
		expect(await jar.tenantOf(globex)).toBeNull();
		expect(await jar.activeTenant()).toBeNull();
		expect(await jar.tenantOf(acme)).toBe(acme.id);
	});
});

describe("a sign-out", () => {
	test("of one tenant leaves the others", async () => {
		const { acme, globex, jar } = await signedInTwice();
		expect((await jar.send("/sign-out", { tenant: acme, body: {} })).status).toBe(200);
		expect(await jar.tenantOf(acme)).toBeNull();
		expect(await jar.activeTenant()).toBe(globex.id);
		expect(await jar.tenantOf(globex)).toBe(globex.id);
	});

	test("ends the session in the database, and not only its cookie", async () => {
		const { running, acme, jar } = await signedInTwice();
		const before = newJar(running);
		for (const [name, value] of jar.cookies) before.cookies.set(name, value);
		await jar.send("/sign-out", { tenant: acme, body: {} });
		expect(await before.tenantOf(acme)).toBeNull();
	});

	test("of all devices ends only the sessions of this user", async () => {
		const { acme, globex, jar } = await signedInTwice();
		expect((await jar.send("/revoke-sessions", { tenant: acme, body: {} })).status).toBe(200);
		expect(await jar.tenantOf(acme)).toBeNull();
		expect(await jar.tenantOf(globex)).toBe(globex.id);
	});

	test("without a session of the named tenant ends nothing", async () => {
		const { running, acme, globex, jar } = await signedInTwice();
		const other = await tenantWithUser(running);
		expect((await jar.send("/sign-out", { tenant: other, body: {} })).status).toBe(200);
		expect(await jar.activeTenant()).toBe(globex.id);
		expect(await jar.tenantOf(acme)).toBe(acme.id);
	});
});

test("a new password ends the old session of its tenant, and the browser gets the new one", async () => {
	const { acme, globex, jar } = await signedInTwice();
	const body = {
		currentPassword: password,
		newPassword: "another horse battery",
		revokeOtherSessions: true,
	};
	expect((await jar.send("/change-password", { tenant: acme, body })).status).toBe(200);
	expect(await jar.tenantOf(acme)).toBe(acme.id);
	expect(await jar.tenantOf(globex)).toBe(globex.id);
});

test("a session that has ended elsewhere leaves the browser alone", async () => {
	const { running, acme, globex, jar } = await signedInTwice();
	await running.post(
		"/tenant/user/revoke-sessions",
		{ tenantId: acme.id, userId: acme.userId },
		asManager,
	);
	expect(await jar.tenantOf(acme)).toBeNull();
	expect(jar.sessions()).toHaveLength(2);
	expect(await jar.tenantOf(globex)).toBe(globex.id);
});

test("a tenant that is suspended or deleted has no session, and the others stay", async () => {
	const { running, acme, globex, jar } = await signedInTwice();
	const manage = (path: string, body: object) => running.post(`/tenant/${path}`, body, asManager);
	await manage("suspend", { tenantId: acme.id });
	const suspended = await jar.send("/get-session", { tenant: acme });
	expect(await suspended.json()).toMatchObject({ code: "TENANT_SUSPENDED" });
	expect(await jar.tenantOf(globex)).toBe(globex.id);
	await manage("resume", { tenantId: acme.id });
	expect(await jar.tenantOf(acme)).toBe(acme.id);
	await manage("delete", { tenantId: acme.id });
	expect((await jar.send("/get-session", { tenant: acme })).status).toBe(404);
	// It was the active session.
	expect(await jar.activeTenant()).toBeNull();
	expect(await jar.tenantOf(globex)).toBe(globex.id);
});

test("a sign-in with a second step does not end the session of another tenant", async () => {
	const { acme, globex, jar } = await signedInTwice();
	const enabled = await jar.send("/two-factor/enable", { tenant: globex, body: { password } });
	const { totpURI } = (await enabled.json()) as { totpURI: string };
	const body = { code: totpOf(totpURI) };
	await jar.send("/two-factor/verify-totp", { tenant: globex, body });
	await jar.send("/sign-out", { tenant: globex, body: {} });
	expect(await jar.tenantOf(acme)).toBe(acme.id);

	const challenged = await jar.signIn(globex, { rememberMe: false });
	expect(await challenged.json()).toMatchObject({ twoFactorRedirect: true });
	expect(await jar.tenantOf(globex)).toBeNull();
	expect(await jar.activeTenant()).toBe(acme.id);
	const done = await jar.send("/two-factor/verify-totp", { tenant: globex, body });
	expect(done.status).toBe(200);
	expect(await jar.tenantOf(globex)).toBe(globex.id);
	expect(await jar.tenantOf(acme)).toBe(acme.id);
	// The first step has said so.
	const set = done.headers.getSetCookie().filter((text) => text.includes("session_token="));
	expect(set.filter((text) => /max-age/i.test(text))).toEqual([]);
});

test("each tenant has its own choice to end the session with the browser", async () => {
	const { acme, globex, jar } = await signedInTwice();
	await jar.signIn(acme, { rememberMe: false });
	const [copy] = jar.sessions().filter((name) => /\..{12}\.dont_remember$/.test(name));
	expect(copy).toBeDefined();
	await jar.signIn(globex);
	expect(jar.sessions()).not.toContain("better-auth.dont_remember");
	expect(jar.sessions()).toContain(copy);
	expect(await jar.tenantOf(acme)).toBe(acme.id);
	expect(jar.sessions()).toContain("better-auth.dont_remember");
	await jar.signIn(acme);
	expect(jar.sessions().filter((name) => name.includes("dont_remember"))).toEqual([]);
});

test("an impersonated session takes the place of its own tenant only", async () => {
	const { acme, globex, jar } = await signedInTwice();
	const { id: tenantId, userId } = acme;
	const body = { tenantId, userId, reason: "A ticket", setCookie: true };
	const response = await jar.send("/tenant/user/impersonate", { body, headers: asManager });
	expect(response.status).toBe(200);
	const session = await jar.send("/get-session", { tenant: acme });
	expect(await session.json()).toMatchObject({
		session: { tenantImpersonator: expect.stringMatching(/^key:/) },
	});
	const other = await jar.send("/get-session", { tenant: globex });
	expect(await other.json()).toMatchObject({ session: { tenantImpersonator: null } });
	// What it may do is decided by itself.
	const refused = await jar.send("/change-password", {
		tenant: acme,
		body: { currentPassword: password, newPassword: "another horse battery" },
	});
	expect(refused.status).toBeGreaterThanOrEqual(400);
	await jar.send("/sign-out", { tenant: acme, body: {} });
	expect(await jar.tenantOf(globex)).toBe(globex.id);
});

test("a sign-in with a link of an email does not end the session of another tenant", async () => {
	const { running, acme, globex, jar } = await signedInTwice();
	const third = await tenantWithUser(running);
	const body = { email: "ada@example.com", callbackURL: "/" };
	expect((await jar.send("/sign-in/magic-link", { tenant: third, body })).status).toBe(200);
	const [mail] = (await running.backend.mailer.outbox?.list()) ?? [];
	const link = new URL(/https?:\/\/\S+/.exec(mail?.text ?? "")?.[0] ?? "").searchParams.get("link");
	expect((await jar.send(`/magic-link/verify?${link}`)).status).toBe(302);
	expect(await jar.activeTenant()).toBe(third.id);
	for (const tenant of [acme, globex, third]) expect(await jar.tenantOf(tenant)).toBe(tenant.id);
});

test("a sign-in with a provider does not end the session of another tenant", async () => {
	const { running, acme, globex, jar } = await signedInTwice();
	const third = await tenantWithUser(running);
	const provider = await startRogueProvider();
	onTestFinished(() => provider.close());
	const config = {
		...{ tenantId: third.id, providerId: "oidc:corp", clientId: "client", clientSecret: "secret" },
		options: { issuer: provider.issuer },
	};
	await running.post("/tenant/oauth-config/register", config, asManager);
	const body = { provider: "oidc:corp", callbackURL: "/" };
	const started = await jar.send("/tenant/sign-in/social", { tenant: third, body });
	const { url } = (await started.json()) as { url: string };
	const asked = new URL(url).searchParams;
	provider.claims = {
		...{ email: "grace@example.com", email_verified: true, name: "Grace" },
		...{ nonce: asked.get("nonce"), aud: asked.get("client_id") },
	};
	const query = new URLSearchParams({ code: "code", state: asked.get("state") ?? "" });
	const { pathname } = new URL(asked.get("redirect_uri") ?? "");
	const finished = await jar.send(`${pathname.replace("/api/auth", "")}?${query}`);
	expect(finished.status).toBe(302);
	expect(await jar.activeTenant()).toBe(third.id);
	for (const tenant of [acme, globex, third]) expect(await jar.tenantOf(tenant)).toBe(tenant.id);
});

test("a sign-in with SAML does not end the session of another tenant", async () => {
	const { running, acme, jar } = await signedInTwice();
	const company = await samlTenant(running, { name: "initech" });
	await company.verifyDomain();
	const idp = await makeSamlIdentityProvider("idp");
	const { metadata } = idp.config.idpMetadata;
	expect((await company.manage("/tenant/saml/set", { metadata })).status).toBe(200);
	const { url, cookie } = await company.start();
	const form = await idp.answer(url, "ada@initech.com");
	const finished = await running.call(`/t/${company.slug}/saml/acs`, {
		method: "POST",
		headers: { cookie: `${cookie}; ${jar.header()}`, origin: "https://idp.example.com" },
		body: new URLSearchParams({ ...form }),
	});
	expect(finished.status).toBe(302);
	jar.keep(finished);
	expect(await jar.activeTenant()).toBe(company.tenantId);
	expect(await jar.tenantOf({ id: company.tenantId })).toBe(company.tenantId);
	expect(await jar.tenantOf(acme)).toBe(acme.id);
});

describe("management by an administrator of a tenant", () => {
	test("uses the session of the tenant that the query or the body names", async () => {
		const { running, acme, globex, jar } = await signedInTwice();
		for (const { id: tenantId, userId } of [acme, globex]) {
			await running.post("/tenant/user/update", { tenantId, userId, role: "owner" }, asManager);
		}
		for (const tenant of [acme, globex]) {
			const listed = await jar.send(`/tenant/user/list?tenantId=${tenant.id}`);
			expect(await listed.json()).toMatchObject([{ id: tenant.userId }]);
			const body = { tenantId: tenant.id, userId: tenant.userId, name: "Countess" };
			expect((await jar.send("/tenant/user/update", { body })).status).toBe(200);
		}
		// As the plugin: the body decides, and then the query.
		const body = { tenantId: acme.id, userId: acme.userId, name: "Ada" };
		expect((await jar.send("/tenant/user/update", { tenant: globex, body })).status).toBe(200);
	});

	test("has its pages for each tenant", async () => {
		const { running, acme, globex, jar } = await signedInTwice();
		const { id: tenantId, userId } = acme;
		await running.post("/tenant/user/update", { tenantId, userId, role: "owner" }, asManager);
		const headers = { accept: "text/html" };
		expect((await jar.send(`/t/${acme.slug}/admin`, { headers })).status).toBe(200);
		expect((await jar.send(`/t/${globex.slug}/admin`, { headers })).status).toBe(403);
		expect(await jar.activeTenant()).toBe(globex.id);
	});

	test("has no rights in the console of an operator", async () => {
		const { running, acme, jar } = await signedInTwice();
		const { id: tenantId, userId } = acme;
		await running.post("/tenant/user/update", { tenantId, userId, role: "owner" }, asManager);
		const { headers } = await newOperator(running, "support", `${userId}@example.com`);
		const opened = await running.post("/operator/session/open", {}, headers);
		const inConsole = { "x-console": "1", cookie: `${jar.header()}; ${cookiesOf(opened)}` };
		const path = `/tenant/user/list?tenantId=${tenantId}`;
		expect((await jar.send(path)).status).toBe(200);
		expect((await jar.send(path, { headers: inConsole })).status).toBe(200);
		const body = { tenantId, userId, role: "admin" };
		const changed = await jar.send("/tenant/user/update", { body, headers: inConsole });
		expect(changed.status).toBeOneOf([401, 403]);
	});
});

test("a bearer token stays what it is", async () => {
	const { running, acme, globex, jar } = await signedInTwice();
	const signedIn = await newJar(running).signIn(acme);
	const token = signedIn.headers.get("set-auth-token") ?? "";
	const headers = { authorization: `Bearer ${token}` };
	const read = async (tenant: { id: string } | null, more: object = {}) => {
		const response = await newJar(running).send("/get-session", {
			tenant,
			headers: { ...headers, ...more },
		});
		return ((await response.json()) as { session: { tenantId: string } } | null)?.session.tenantId;
	};
	expect(await read(acme)).toBe(acme.id);
	expect(await read(null)).toBe(acme.id);
	expect(await read(globex)).toBeUndefined();
	expect(await read(null, { cookie: jar.header() })).toBe(acme.id);
});
