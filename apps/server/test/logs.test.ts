import { expect, onTestFinished, test } from "vitest";
import { startIdentityProvider } from "../../../packages/tenant-auth/test/support/providers/identity-provider";
import { startRogueProvider } from "../../../packages/tenant-auth/test/support/providers/rogue-provider";
import { notEmpty } from "../../../testing/not-empty";
import { authLogger, createLog } from "../src/monitoring/log";
import {
	asManager,
	cookiesOf,
	managementKey,
	newTenant,
	newUser,
	runningService,
} from "./running-service";

const clientSecret = "client-secret-of-acme-5f2c";
const hostSecret = "host-client-secret-77aa";
const databaseSecret = "a secret for tests with 32 characters and more: 8dK2!x";

test("the log never contains a secret, token, cookie or password", async () => {
	const service = await runningService({
		GITHUB_CLIENT_ID: "host-client",
		GITHUB_CLIENT_SECRET: hostSecret,
		REQUIRE_EMAIL_VERIFICATION: "true",
		LOG_LEVEL: "debug",
	});
	const { post, call, baseUrl } = service;
	const secrets = new Set([managementKey, clientSecret, hostSecret, databaseSecret]);
	const keep = (...values: (string | null | undefined)[]) => {
		for (const value of values) if (value) secrets.add(value);
	};
	const tenant = { "x-tenant-id": await newTenant(post) };
	const key = { ...asManager, ...tenant };
	const config = { providerId: "google", clientId: "google-client", clientSecret };
	await post("/tenant/oauth-config/register", config, key);

	const user = { ...newUser("ada@example.com"), password: "password-of-ada-91" };
	keep(user.password, "wrong-password-1", "new-password-of-ada");
	await post("/tenant/sign-up/email", user, tenant);
	await post("/tenant/sign-in/email", { ...user, password: "wrong-password-1" }, tenant);
	await post("/request-password-reset", { email: user.email, redirectTo: "/x" }, tenant);
	const outbox = await call("/service/outbox", { headers: asManager });
	for (const { text } of notEmpty((await outbox.json()) as { text: string }[])) {
		const sent = text.match(/http\S+/)?.[0] ?? "";
		// The page of a verification link has a button that opens it.
		await call(sent);
		const behindButton = new URL(sent).searchParams.get("link");
		const link = behindButton ? `/api/auth/verify-email?${behindButton}` : sent;
		const token = link.match(/token=([^&]+)|reset-password\/([^?]+)/);
		keep(token?.[1], token?.[2]);
		const answer = await call(link);
		keep(...answer.headers.getSetCookie().map((cookie) => cookie.match(/=([^;]{20,})/)?.[1]));
		if (token?.[2]) {
			const body = { newPassword: "new-password-of-ada", token: token[2] };
			expect((await post("/reset-password", body, tenant)).status).toBe(200);
		}
	}
	const body = { email: user.email, password: "new-password-of-ada" };
	const signedIn = await post("/tenant/sign-in/email", body, tenant);
	const { token } = (await signedIn.json()) as { token: string };
	const cookie = cookiesOf(signedIn);
	keep(token, cookie.split("=")[1]);
	await call("/api/auth/get-session?secret=query-secret-1", { headers: { cookie } });
	await call("/api/auth/verify-email?token=made-up-token-123456");
	await call("/api/auth/reset-password/made-up-token-654321?callbackURL=/x");
	await call("/api/auth/callback/github?code=provider-code-1234&state=made-up-state-1");
	await call("/made-up-token-in-the-path", { headers: { authorization: "Bearer unknown-key-1" } });
	await post("/delete-user", { token: "deletion-token-1234" }, { cookie, origin: baseUrl });
	keep("query-secret-1", "made-up-token-123456", "made-up-token-654321", "provider-code-1234");
	keep("made-up-state-1", "made-up-token-in-the-path", "unknown-key-1", "deletion-token-1234");
	const social = { provider: "google", callbackURL: "/t/acme" };
	const started = (await (await post("/tenant/sign-in/social", social, tenant)).json()) as {
		url: string;
	};
	keep(new URL(started.url).searchParams.get("state"));
	await post("/tenant/sign-in/email", "{ not json", tenant);

	expect(secrets.size).toBeGreaterThan(18);
	expect(service.logged().length).toBeGreaterThan(18);
	const log = service.log();
	for (const secret of notEmpty(secrets)) {
		expect(log).not.toContain(secret);
		expect(log).not.toContain(decodeURIComponent(secret));
	}
	expect(log).not.toMatch(/[?&]\w+=/);
});

test("each request is one line with id, tenant, route, status and duration", async () => {
	const { post, call, logged } = await runningService();
	const tenantId = await newTenant(post);
	const id = "client-chosen-id.1";
	const response = await post("/tenant/sign-up/email", newUser("ada@example.com"), {
		"x-tenant-id": tenantId,
		"x-request-id": id,
	});
	expect(response.headers.get("x-request-id")).toBe(id);
	const lines = logged().filter((line) => line.requestId === id && line.msg === "request");
	expect(lines).toEqual([
		{
			level: "info",
			time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
			requestId: id,
			tenantId,
			method: "POST",
			route: "/api/auth/tenant/sign-up/email",
			status: 200,
			milliseconds: expect.any(Number),
			msg: "request",
		},
	]);

	const session = await call("/api/auth/get-session", { headers: { cookie: cookiesOf(response) } });
	const own = session.headers.get("x-request-id");
	expect(logged().find((line) => line.requestId === own)).toMatchObject({ tenantId });
});

test("a request id in another format is replaced", async () => {
	const { call } = await runningService();
	for (const id of ["short", "with spaces in it", '"quoted-and-more"', "x".repeat(200)]) {
		const response = await call("/healthz", { headers: { "x-request-id": id } });
		expect(response.headers.get("x-request-id")).toMatch(/^[\da-f-]{36}$/);
	}
});

test("a route is logged as its pattern", async () => {
	const { call, logged } = await runningService();
	const patterns = {
		"/api/auth/reset-password/abc?callbackURL=/": "/api/auth/reset-password/:token",
		"/api/auth/tenant/callback/google?state=x": "/api/auth/tenant/callback/:providerId",
		"/api/auth/no/such/thing": "/api/auth/*",
		"/service/info": "/service/*",
		"/healthz": "/healthz",
	};
	for (const path of Object.keys(patterns)) await call(path);
	const requests = logged().filter(({ msg }) => msg === "request");
	expect(requests.map(({ route }) => route)).toEqual(Object.values(patterns));
});

test("LOG_LEVEL=error logs no requests, but errors", async () => {
	const { call, log, backend, logged } = await runningService({ LOG_LEVEL: "error" });
	const path = "/api/auth/tenant/login-options?slug=acme";
	expect((await call(path)).status).toBe(404);
	expect(log()).toBe("");
	await backend.database.db.destroy();
	expect((await call(path)).status).toBe(500);
	expect(logged().map(({ msg }) => msg)).toEqual(["request failed", "request"]);
	expect(logged()[0]).toMatchObject({
		err: { type: expect.any(String), message: expect.any(String), stack: expect.any(String) },
	});
});

test("an error is logged with its message without links, and without other fields", () => {
	const lines: string[] = [];
	const log = createLog({
		level: "info",
		secrets: ["known-secret"],
		destination: { write: (line) => void lines.push(line) },
	});
	const cause = new Error("GET https://me:pass@example.com/a/token-1?x=token-2 failed");
	const err = Object.assign(new Error("query failed for known-secret", { cause }), {
		sql: "insert into user values ('token-3')",
		code: "ER_DUP_ENTRY",
	});
	log.error({ err }, "failed with known-secret");
	const [line = ""] = lines;
	expect(line).not.toMatch(/token-\d|known-secret|pass@/);
	expect(JSON.parse(line)).toMatchObject({
		msg: "failed with [secret]",
		err: { code: "ER_DUP_ENTRY", cause: { message: "GET https://example.com/… failed" } },
	});
});

test.each(["a.", "?", "a:", "://"])(
	"a long text of %j is cut before it is searched for links",
	(part) => {
		const lines: string[] = [];
		const log = createLog({
			level: "info",
			secrets: [],
			destination: { write: (line) => void lines.push(line) },
		});
		const text = `Invalid callbackURL: ${part.repeat(20_000)}`;
		authLogger(log, "info").log?.("error", text);
		log.error({ err: new Error(text) }, "request failed");
		for (const line of notEmpty(lines)) expect(line.length).toBeLessThan(5000);
		expect(lines).toHaveLength(2);
	},
);

test("a long text is not cut inside of a link", () => {
	const lines: string[] = [];
	const log = createLog({
		level: "info",
		secrets: [],
		destination: { write: (line) => void lines.push(line) },
	});
	const link = "postgres://me:password-1@example.com";
	authLogger(log, "info").log?.("error", `${"x ".repeat(990)}${link}`);
	expect(lines.join()).not.toContain("password");
});

test("a failed sign-in with a provider is one warning, with tenant, provider and reason", async () => {
	const service = await runningService({
		GITHUB_CLIENT_ID: "host-client",
		GITHUB_CLIENT_SECRET: hostSecret,
	});
	const tenantId = await newTenant(service.post);
	const start = { tenantId, provider: "github", callbackURL: "/" };
	const started = await service.post("/tenant/sign-in/social", start);
	const { url } = (await started.json()) as { url: string };
	const state = new URL(url).searchParams.get("state");
	const headers = { cookie: cookiesOf(started) };
	const callback = `/api/auth/tenant/callback/github?error=access_denied&state=${state}`;
	expect((await service.call(callback, { headers })).status).toBe(302);
	// The state is used up.
	expect((await service.call(callback, { headers })).status).toBe(302);
	const lines = service.logged().filter(({ level }) => level === "warn" || level === "error");
	expect(lines).toMatchObject([
		{
			level: "warn",
			msg: "sign-in with a provider failed",
			tenantId,
			provider: "github",
			reason: "access_denied",
		},
		{ level: "warn", msg: "sign-in with a provider failed", provider: "github" },
	]);
});

test("the warning has what the provider answered, without its description", async () => {
	const provider = await startIdentityProvider("openid");
	onTestFinished(() => provider.close());
	const service = await runningService({ ALLOW_PRIVATE_PROVIDER_HOSTS: "true" });
	const tenantId = await newTenant(service.post);
	const { clientId } = await provider.addClient({ redirectURIs: ["http://localhost:3000/"] });
	const providerId = "oidc:corp";
	const options = { issuer: provider.url };
	// The secret has expired, as secrets at Entra ID do.
	const config = { tenantId, providerId, clientId, clientSecret, options };
	await service.post("/tenant/oauth-config/register", config, asManager);
	const start = { tenantId, provider: providerId, callbackURL: "/" };
	const started = await service.post("/tenant/sign-in/social", start);
	const state = new URL(((await started.json()) as { url: string }).url).searchParams.get("state");
	const query = new URLSearchParams({ code: "made-up", state: state ?? "", iss: provider.url });
	const callback = `/api/auth/tenant/callback/${providerId}:${tenantId}?${query}`;
	await service.call(callback, { headers: { cookie: cookiesOf(started) } });
	const lines = service.logged().filter(({ level }) => level === "warn" || level === "error");
	expect(lines).toMatchObject([
		{
			level: "warn",
			msg: "sign-in with a provider failed",
			tenantId,
			provider: providerId,
			reason: "invalid_code",
			response: { status: 401, error: "invalid_client" },
		},
	]);
	expect(service.log()).not.toContain("client authentication failed");
});

test("a line that Better Auth writes in a request has the tenant", async () => {
	const service = await runningService({ LOG_LEVEL: "debug" });
	const tenantId = await newTenant(service.post);
	const user = { tenantId, email: "nobody@example.com", password: "correct horse battery" };
	expect((await service.post("/tenant/sign-in/email", user)).status).toBe(401);
	const lines = service.logged().filter(({ msg }) => msg === "User not found");
	expect(lines).toMatchObject([{ tenantId }]);
});

test("the warning says what was wrong with the response of the tenant's own provider", async () => {
	const rogue = await startRogueProvider();
	onTestFinished(() => rogue.close());
	const service = await runningService({ ALLOW_PRIVATE_PROVIDER_HOSTS: "true" });
	const tenantId = await newTenant(service.post);
	const providerId = "oidc:corp";
	const options = { issuer: rogue.issuer };
	const config = { tenantId, providerId, clientId: "client", clientSecret, options };
	await service.post("/tenant/oauth-config/register", config, asManager);
	rogue.claims = { aud: "another" };
	const start = { tenantId, provider: providerId, callbackURL: "/" };
	const started = await service.post("/tenant/sign-in/social", start);
	const state = new URL(((await started.json()) as { url: string }).url).searchParams.get("state");
	const query = new URLSearchParams({ code: "made-up", state: state ?? "" });
	const callback = `/api/auth/tenant/callback/${providerId}:${tenantId}?${query}`;
	await service.call(callback, { headers: { cookie: cookiesOf(started) } });
	const lines = service.logged().filter(({ level }) => level === "warn" || level === "error");
	expect(lines).toMatchObject([{ level: "warn", tenantId, reason: "wrong_audience" }]);
});
