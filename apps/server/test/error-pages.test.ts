import { expect, test } from "vitest";
import { asManager, cookiesOf, newTenant, newUser, runningService } from "./running-service";

const person = { accept: "text/html,application/xhtml+xml" };
const locationOf = (response: Response) => response.headers.get("location");

test("a link that fails sends a person to a page, and answers a program in JSON", async () => {
	const { call } = await runningService();
	const path = "/api/auth/delete-user/callback?token=1";
	const shown = await call(path, { headers: person });
	expect(shown.status).toBe(302);
	// Without a tenant, there are only operators, who cannot delete themselves.
	expect(locationOf(shown)).toBe("/error?error=PLATFORM_SIGN_UP_CLOSED");
	const answered = await call(path);
	expect(answered.status).toBe(403);
	expect(await answered.json()).toMatchObject({ code: "PLATFORM_SIGN_UP_CLOSED" });
});

test("the page is the tenant's, if the request is in a tenant", async () => {
	const { call, post } = await runningService();
	const tenant = { "x-tenant-id": await newTenant(post) };
	const signedUp = await post("/tenant/sign-up/email", newUser("ada@example.com"), tenant);
	const shown = await call("/api/auth/delete-user/callback?token=1", {
		headers: { ...person, cookie: cookiesOf(signedUp) },
	});
	expect(locationOf(shown)).toBe("/t/acme/error?error=INVALID_TOKEN");
});

test("on the host of a tenant, the page is on the same host", async () => {
	const { call, post } = await runningService({
		BETTER_AUTH_URL: "https://auth.example.com",
		TENANT_DOMAIN: "example.com",
	});
	await newTenant(post);
	const own = "https://acme.example.com";
	const shown = await call(`${own}/api/auth/error?error=access_denied`, { headers: person });
	expect(locationOf(shown)).toBe("/error?error=access_denied");
	expect((await call(`${own}/error?error=access_denied`)).status).not.toBe(404);
});

test("a callback ends on the page, and every other endpoint answers as before", async () => {
	const { call } = await runningService();
	const started = await call("/api/auth/tenant/callback/google?state=1&code=1", {
		headers: person,
	});
	expect(locationOf(started)).toMatch(/^\/error\?error=/);
	const listed = await call("/api/auth/tenant/list", { headers: { ...person, ...asManager } });
	expect(listed.status).toBe(200);
	const refused = await call("/api/auth/tenant/list", { headers: person });
	expect([refused.status, locationOf(refused)]).toEqual([401, null]);
});
