import { expect, test } from "vitest";
import { notEmpty } from "../../../testing/not-empty";
import { stopClock } from "../../../testing/stopped-clock";
import {
	asManager,
	newIp,
	newSlug,
	newTenant,
	newUser,
	runningService,
	useService,
} from "./running-service";

const tooLarge = JSON.stringify({ name: "x".repeat(1024 * 1024) });

const shared = useService();

test("the root lists the main paths", async () => {
	const { call } = await shared();
	const response = await call("/");
	expect(response.status).toBe(200);
	const text = await response.text();
	for (const path of ["/console", "/t/<slug>", "/api/auth/open-api/generate-schema"]) {
		expect(text).toContain(path);
	}
});

test("an unknown path gets a 404 in JSON, and below /api also in a browser", async () => {
	const { call } = await shared();
	const paths = [
		"/nowhere",
		"/api",
		"/api/auth",
		"/api/auth/",
		"/api/auth/nowhere",
		"/api/auth//ok",
	];
	for (const path of notEmpty(paths)) {
		const response = await call(path);
		expect([path, response.status]).toEqual([path, 404]);
		expect(await response.json()).toMatchObject({ code: "NOT_FOUND" });
		if (!path.startsWith("/api")) continue;
		const inBrowser = await call(path, { headers: { accept: "text/html" } });
		expect([path, inBrowser.status]).toEqual([path, 404]);
		expect(await inBrowser.json()).toMatchObject({ code: "NOT_FOUND" });
	}
});

test("the OpenAPI document contains the endpoints of core and of the plugin", async () => {
	const { call } = await shared();
	const response = await call("/api/auth/open-api/generate-schema");
	const { paths } = (await response.json()) as { paths: Record<string, unknown> };
	expect(Object.keys(paths)).toEqual(
		expect.arrayContaining(["/sign-in/email", "/tenant/create", "/tenant/sign-up/email"]),
	);
});

test("no page on the origin of the console runs a third-party script", async () => {
	const { call } = await shared();
	const response = await call("/api/auth/reference");
	expect(response.status).toBe(404);
	expect(await response.json()).toMatchObject({ code: "NOT_FOUND" });
});

test("a body that is too large is rejected before it is read", async () => {
	const { post } = await shared();
	const response = await post("/sign-in/email", tooLarge, {
		"content-length": String(tooLarge.length),
	});
	expect(response.status).toBe(413);
	expect(await response.json()).toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
});

test("a body that is too large is rejected without a content-length header", async () => {
	const { post } = await shared();
	const response = await post("/sign-in/email", tooLarge);
	expect(response.status).toBe(413);
	expect(await response.json()).toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
});

test("a malformed body is a client error", async () => {
	const { post } = await shared();
	for (const body of ["{", "", "null", "[]", '"text"', '{"email":{}}', "\u0000"]) {
		const responses = await Promise.all([
			post("/sign-in/email", body),
			post("/tenant/create", body),
			post("/tenant/sign-up/email", body),
		]);
		for (const { status } of notEmpty(responses)) expect([400, 401, 403, 415]).toContain(status);
	}
});

test("a body with another content type than JSON is rejected", async () => {
	const { post } = await shared();
	const response = await post("/tenant/create", "<a/>", { "content-type": "text/xml" });
	expect(response.status).toBe(415);
});

test("a user signs up in a tenant and gets a session", async () => {
	const { call, post } = await shared();
	const tenantId = await newTenant(post, newSlug());
	const signedUp = await post("/tenant/sign-up/email", newUser("ada@example.com"), {
		"x-tenant-id": tenantId,
	});
	expect(signedUp.status).toBe(200);
	const cookie = signedUp.headers.getSetCookie().map((value) => value.split(";")[0]);
	const session = await call("/api/auth/get-session", { headers: { cookie: cookie.join("; ") } });
	expect(await session.json()).toMatchObject({
		user: { email: "ada@example.com" },
		session: { tenantId },
	});
});

test("a session can be read while other users sign up", async () => {
	const { call, post } = await runningService({}, { realPasswords: true });
	const headers = { "x-tenant-id": await newTenant(post) };
	const finished: string[] = [];
	const note = (name: string) => () => finished.push(name);
	const signUps = ["a", "b", "c", "d"].map((name) =>
		post("/tenant/sign-up/email", newUser(`${name}@example.com`), headers).then(note("sign-up")),
	);
	await call("/api/auth/get-session").then(note("get-session"));
	await Promise.all(signUps);
	expect(finished[0]).toBe("get-session");
});

test("attempts are limited by the IP address of the socket", async () => {
	stopClock();
	const { post } = await runningService({ RATE_LIMIT_SIGN_IN: "3/60" });
	const attempt = (ip: string) =>
		post("/sign-in/email", { email: "a@b.co", password: "wrong password" }, {}, ip);
	const ip = newIp();
	for (let i = 0; i < 3; i++) expect((await attempt(ip)).status).toBe(401);
	expect((await attempt(ip)).status).toBe(429);
	expect((await attempt(newIp())).status).toBe(401);
});

test("a client cannot bypass the rate limit with its own headers", async () => {
	stopClock();
	const { post } = await runningService({ RATE_LIMIT_SIGN_IN: "3/60" });
	const ip = newIp();
	const attempt = (forged: string) => {
		const headers = { "x-forwarded-for": forged, "x-server-client-ip": forged };
		return post("/sign-in/email", { email: "a@b.co", password: "wrong" }, headers, ip);
	};
	for (let i = 0; i < 3; i++) expect((await attempt(newIp())).status).toBe(401);
	expect((await attempt(newIp())).status).toBe(429);
});

test("wrong management keys do not lock out the right one at their IP address", async () => {
	stopClock();
	const { call } = await runningService({ RATE_LIMIT: "100/10" });
	const ip = newIp();
	const ask = async (path: string, authorization: string) =>
		(await call(path, { headers: { authorization } }, ip)).status;
	// All routes of the service share one counter.
	for (const path of ["/api/auth/tenant/list", "/service/info"]) {
		for (let i = 0; i < 100; i++) {
			expect(await ask(path, `Bearer wrong-management-key-${i}`)).toBe(403);
		}
	}
	for (const path of ["/api/auth/tenant/list", "/service/info", "/metrics"]) {
		expect(await ask(path, "Bearer wrong-management-key")).toBe(429);
		expect(await ask(path, asManager.authorization)).toBe(200);
	}
});

test("a session has the IP address it was created from", async () => {
	const { post } = await shared();
	const ip = newIp();
	const response = await post(
		"/tenant/sign-up/email",
		newUser("ada@example.com"),
		{ "x-tenant-id": await newTenant(post, newSlug()), "x-forwarded-for": "192.0.2.7" },
		ip,
	);
	expect(await response.json()).toMatchObject({ session: { ipAddress: ip } });
});

test("with an https base URL, cookies are sent over https only", async () => {
	const { post } = await runningService({ BETTER_AUTH_URL: "https://auth.example.com" });
	const tenant = { "x-tenant-id": await newTenant(post) };
	const response = await post("/sign-up/email", newUser("ada@example.com"), tenant);
	expect(response.headers.getSetCookie()).toContainEqual(
		expect.stringMatching(/^__Secure-better-auth\.session_token=.*; Secure/),
	);
});

test("a path with empty parts does not reach Better Auth, which needs seconds for it", async () => {
	const { call } = await shared();
	const response = await call(`/api/auth/${"/".repeat(15_000)}x`);
	expect(response.status).toBe(404);
	expect(await response.json()).toEqual({ code: "NOT_FOUND", message: "Not found" });
});
