import { expect, test } from "vitest";
import { newTenant, newUser, runningService } from "./running-service";

const environment = {
	BETTER_AUTH_URL: "https://auth.example.com",
	TRUSTED_ORIGINS: "https://app.example.com, https://*.example.org, myapp://",
};

test("a page of a trusted origin may send requests with cookies and read responses", async () => {
	const { call, post } = await runningService(environment);
	const origin = "https://app.example.com";
	const preflight = await call("/api/auth/tenant/sign-up/email", {
		method: "OPTIONS",
		headers: {
			origin,
			"access-control-request-method": "POST",
			"access-control-request-headers": "content-type,x-tenant-id",
		},
	});
	expect(preflight.status).toBe(204);
	expect(Object.fromEntries(preflight.headers)).toMatchObject({
		"access-control-allow-origin": origin,
		"access-control-allow-credentials": "true",
		"access-control-allow-methods": "GET,POST",
		"access-control-allow-headers": "content-type,x-tenant-id",
	});

	const tenantId = await newTenant(post);
	const user = newUser("ada@example.com");
	const answer = await post("/tenant/sign-up/email", user, { origin, "x-tenant-id": tenantId });
	expect(answer.status).toBe(200);
	expect(answer.headers.get("access-control-allow-origin")).toBe(origin);
	expect(answer.headers.get("vary")).toMatch(/origin/i);
});

test("other pages may not, and without trusted origins there are no CORS headers", async () => {
	const service = await runningService(environment);
	const withoutOrigins = await runningService();
	const allowedOrigin = async (origin: string, { call } = service) => {
		const { headers } = await call("/api/auth/get-session", { headers: { origin } });
		return headers.get("access-control-allow-origin");
	};
	expect(await allowedOrigin("https://a.b.example.org")).toBe("https://a.b.example.org");
	for (const origin of [
		"https://example.org",
		"https://evilexample.org",
		"http://a.example.org",
		"https://app.example.com.evil.net",
		"https://app.example.com:8443",
		"null",
	]) {
		expect([origin, await allowedOrigin(origin)]).toEqual([origin, null]);
	}
	expect(await allowedOrigin("https://app.example.com", withoutOrigins)).toBeNull();
});
