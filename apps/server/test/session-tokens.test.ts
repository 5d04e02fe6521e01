import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from "jose";
import { expect, it } from "vitest";
import { cookiesOf, newTenant, newUser, runningService } from "./running-service";

/** A service with the tenant acme, in which Ada is signed in. */
async function withSession(environment: Record<string, string>) {
	const service = await runningService(environment);
	const tenantId = await newTenant(service.post);
	const user = newUser("ada@example.com");
	const signedIn = await service.post("/tenant/sign-up/email", user, { "x-tenant-id": tenantId });
	const { user: ada } = (await signedIn.json()) as { user: { id: string } };
	return { ...service, tenantId, signedIn, ada, cookie: cookiesOf(signedIn) };
}

it("a client without cookies sends the session's token", async () => {
	const { call, post, tenantId, signedIn, ada } = await withSession({ BEARER_SESSIONS: "true" });
	const token = signedIn.headers.get("set-auth-token") ?? "";
	const sessionWith = async (headers: Record<string, string>) =>
		(await call("/api/auth/get-session", { headers })).json();
	const authorization = `Bearer ${token}`;
	expect(await sessionWith({ authorization })).toMatchObject({
		user: { id: ada.id },
		session: { tenantId },
	});
	const there = { authorization, "x-tenant-id": await newTenant(post, "other") };
	expect(await sessionWith(there)).toBeNull();
});

it("a session becomes a token that APIs can verify", async () => {
	const { call, cookie, baseUrl, tenantId, ada } = await withSession({ SESSION_TOKENS: "true" });
	const answer = await call("/api/auth/token", { headers: { cookie } });
	const { token } = (await answer.json()) as { token: string };
	const keys = (await (await call("/t/acme/jwks")).json()) as JSONWebKeySet;
	const { payload } = await jwtVerify(token, createLocalJWKSet(keys), {
		issuer: `${baseUrl}/t/acme`,
		audience: baseUrl,
	});
	expect(payload).toMatchObject({ sub: ada.id, tenant_id: tenantId, email: "ada@example.com" });
	expect((await call("/api/auth/token")).status).toBe(401);
});

it("by default, a session has neither", async () => {
	const { call, cookie, signedIn } = await withSession({});
	expect(signedIn.headers.has("set-auth-token")).toBe(false);
	expect((await call("/api/auth/token", { headers: { cookie } })).status).toBe(404);
});
