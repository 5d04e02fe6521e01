import { expect, test } from "vitest";
import { stopClock } from "../../../testing/stopped-clock";
import { newAddress, newTenant, newUser, runningService } from "./running-service";

const tooMuch = JSON.stringify({ name: "x".repeat(1024 * 1024) });

test("the root tells where things are", async () => {
	const { call } = await runningService();
	const response = await call("/");
	expect(response.status).toBe(200);
	const text = await response.text();
	for (const place of ["/console", "/t/<slug>", "/api/auth/open-api/generate-schema"]) {
		expect(text).toContain(place);
	}
});

test("what is not there is a 404 in JSON", async () => {
	const { call } = await runningService();
	const paths = [
		"/nowhere",
		"/api",
		"/api/auth",
		"/api/auth/",
		"/api/auth/nowhere",
		"/api/auth//ok",
	];
	for (const path of paths) {
		const response = await call(path);
		expect([path, response.status]).toEqual([path, 404]);
		expect(await response.json()).toMatchObject({ code: "NOT_FOUND" });
	}
});

test("the OpenAPI document has core's endpoints and the tenants'", async () => {
	const { call } = await runningService();
	const response = await call("/api/auth/open-api/generate-schema");
	const { paths } = (await response.json()) as { paths: Record<string, unknown> };
	expect(Object.keys(paths)).toEqual(
		expect.arrayContaining(["/sign-in/email", "/tenant/create", "/tenant/sign-up/email"]),
	);
});

test("no page of the service's origin, where the console keeps its key, runs a foreign script", async () => {
	const { call } = await runningService();
	const response = await call("/api/auth/reference");
	expect(response.status).toBe(404);
	expect(await response.json()).toMatchObject({ code: "NOT_FOUND" });
});

test("a body that is too large is refused before it is read", async () => {
	const { post } = await runningService();
	const response = await post("/sign-in/email", tooMuch, {
		"content-length": String(tooMuch.length),
	});
	expect(response.status).toBe(413);
	expect(await response.json()).toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
});

test("a body that is too large is refused when its length was not told", async () => {
	const { post } = await runningService();
	const response = await post("/sign-in/email", tooMuch);
	expect(response.status).toBe(413);
	expect(await response.json()).toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
});

test("a body that makes no sense is the caller's mistake", async () => {
	const { post } = await runningService();
	for (const body of ["{", "", "null", "[]", '"text"', '{"email":{}}', "\u0000"]) {
		const responses = await Promise.all([
			post("/sign-in/email", body),
			post("/tenant/create", body),
			post("/tenant/sign-up/email", body),
		]);
		for (const { status } of responses) expect([400, 401, 403, 415]).toContain(status);
	}
});

test("a body that is not JSON is refused by its type", async () => {
	const { post } = await runningService();
	const response = await post("/tenant/create", "<a/>", { "content-type": "text/xml" });
	expect(response.status).toBe(415);
});

test("a user signs up under a tenant, and has a session", async () => {
	const { call, post } = await runningService();
	const tenantId = await newTenant(post);
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

test("a session can be read while others sign up", async () => {
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

test("attempts are limited by the address at the other end of the socket", async () => {
	stopClock();
	const { post } = await runningService();
	const attempt = (address: string) =>
		post("/sign-in/email", { email: "a@b.co", password: "wrong password" }, {}, address);
	const address = newAddress();
	for (let i = 0; i < 3; i++) expect((await attempt(address)).status).toBe(401);
	expect((await attempt(address)).status).toBe(429);
	expect((await attempt(newAddress())).status).toBe(401);
});

test("a caller cannot get around the limit with headers of its own", async () => {
	stopClock();
	const { post } = await runningService();
	const address = newAddress();
	const attempt = (claimed: string) => {
		const headers = { "x-forwarded-for": claimed, "x-server-client-address": claimed };
		return post("/sign-in/email", { email: "a@b.co", password: "wrong" }, headers, address);
	};
	for (let i = 0; i < 3; i++) expect((await attempt(newAddress())).status).toBe(401);
	expect((await attempt(newAddress())).status).toBe(429);
});

test("a session keeps the address it was opened from", async () => {
	const { post } = await runningService();
	const address = newAddress();
	const response = await post(
		"/tenant/sign-up/email",
		newUser("ada@example.com"),
		{ "x-tenant-id": await newTenant(post), "x-forwarded-for": "192.0.2.7" },
		address,
	);
	expect(await response.json()).toMatchObject({ session: { ipAddress: address } });
});

test("behind https, cookies are for https only", async () => {
	const { post } = await runningService({ BETTER_AUTH_URL: "https://auth.example.com" });
	const response = await post("/sign-up/email", newUser("ada@example.com"));
	expect(response.headers.getSetCookie()).toContainEqual(
		expect.stringMatching(/^__Secure-better-auth\.session_token=.*; Secure/),
	);
});
