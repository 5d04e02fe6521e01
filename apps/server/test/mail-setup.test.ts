import { expect, test } from "vitest";
import { command } from "./cli-command";
import { loopbackSmtp } from "./loopback-smtp";
import { asManager, newTenant, newUser, runningService } from "./running-service";
import { temporaryDirectory } from "./temporary-directory";

const publicUrl = { BETTER_AUTH_URL: "https://auth.example.com" };
const secret = "a secret for tests with 32 characters and more: 8dK2!x";

test("a public server without SMTP_URL says so, and offers nothing that needs an email", async () => {
	const { call, post, backend } = await runningService(publicUrl);
	const ready = await call("/readyz");
	expect(ready.status).toBe(200);
	expect(await ready.json()).toMatchObject({
		status: "ready",
		checks: { email: "not configured" },
	});
	const info = await call("/service/info", { headers: asManager });
	expect(await info.json()).toMatchObject({ mail: "none", outbox: false });
	expect(await backend.metrics.text()).toContain("auth_mail_configured 0");

	const tenantId = await newTenant(post);
	const options = await call(`/api/auth/tenant/login-options?tenantId=${tenantId}`);
	expect(await options.json()).toMatchObject({ email: { signIn: true, reset: false } });
	const headers = { "x-tenant-id": tenantId };
	await post("/tenant/sign-up/email", newUser("ada@example.com"), headers);
	const body = { email: "ada@example.com" };
	expect((await post("/request-password-reset", body, headers)).status).toBe(400);
	expect((await post("/send-verification-email", body, headers)).status).toBe(400);
	const refused = await post(
		"https://auth.example.com/service/mail-test",
		{ to: "a@b.co" },
		asManager,
	);
	expect(refused.status).toBe(409);
	expect(await refused.json()).toMatchObject({ code: "MAIL_NOT_CONFIGURED" });
});

test("a server that only this machine uses keeps emails in the outbox", async () => {
	const { call, backend } = await runningService();
	expect(await (await call("/readyz")).json()).toEqual({
		status: "ready",
		checks: { database: "ok" },
	});
	const info = await call("/service/info", { headers: asManager });
	expect(await info.json()).toMatchObject({ mail: "outbox", outbox: true });
	expect(await backend.metrics.text()).toContain("auth_mail_configured 1");
});

test("an operator sends a test email", async () => {
	const smtp = await loopbackSmtp(["250 ok", "550 5.1.1 no such user"]);
	const service = await runningService({
		...publicUrl,
		SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
		MAIL_FROM: "login@example.com",
	});
	const url = `${publicUrl.BETTER_AUTH_URL}/service/mail-test`;
	const send = (body: unknown, headers: Record<string, string> = asManager) =>
		service.post(url, body, headers);
	const sent = await send({ to: "ops@example.com" });
	expect(sent.status).toBe(200);
	expect(await sent.json()).toEqual({ sent: true });
	expect(smtp.received).toMatchObject([{ to: ["ops@example.com"] }]);
	const rejected = await send({ to: "nobody@example.com" });
	expect(rejected.status).toBe(502);
	expect(await rejected.json()).toEqual({
		code: "MAIL_NOT_SENT",
		message: expect.stringContaining("550 5.1.1 no such user"),
	});
	expect((await send({ to: "nobody" })).status).toBe(400);
	expect((await send("not json")).status).toBe(400);
	expect((await send({ to: "ops@example.com" }, {})).status).toBe(401);
	expect(smtp.received).toHaveLength(1);
});

test("tenant-auth mail test sends an email, or prints why it cannot", async () => {
	const smtp = await loopbackSmtp();
	const environment = {
		DATA_DIR: temporaryDirectory(),
		SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
		MAIL_FROM: "login@example.com",
	};
	const sent = await command(environment, ["mail", "test", "ops@example.com"]);
	expect(sent).toMatchObject({ code: 0, err: "" });
	expect(smtp.received).toMatchObject([{ from: "login@example.com", to: ["ops@example.com"] }]);
	const broken = { ...environment, SMTP_URL: "smtp://user:hunter22@127.0.0.1:1" };
	const failed = await command(broken, ["mail", "test", "ops@example.com", "--json"]);
	expect(failed.code).toBe(1);
	expect(JSON.parse(failed.err)).toMatchObject({ error: { code: "MAIL_NOT_SENT" } });
	expect(failed.err).not.toContain("hunter22");
	const none = await command({ DATA_DIR: environment.DATA_DIR }, ["mail", "test", "a@b.co"]);
	expect(none).toMatchObject({ code: 1, err: "SMTP_URL is not set, so no email can be sent.\n" });
});

test("doctor contacts the SMTP server, and finds a missing one", async () => {
	const smtp = await loopbackSmtp();
	const environment = {
		...publicUrl,
		BETTER_AUTH_SECRET: secret,
		DATA_DIR: temporaryDirectory(),
		MAIL_FROM: "login@example.com",
	};
	await command(environment, ["migrate", "--yes"]);
	type Answer = { checks: { check: string; status: string; findings: { problem: string }[] }[] };
	const examine = async (more: Record<string, string>, ...args: string[]) => {
		const { out } = await command({ ...environment, ...more }, ["doctor", "--json", ...args]);
		const { checks } = JSON.parse(out) as Answer;
		return (name: string) => checks.find(({ check }) => check === name);
	};
	const good = await examine({ SMTP_URL: `smtp://127.0.0.1:${smtp.port}` });
	expect(good("email")).toMatchObject({ status: "ok" });
	expect(smtp.received).toEqual([]);
	const wrong = { SMTP_URL: "smtp://127.0.0.1:1" };
	const bad = await examine(wrong);
	expect(bad("email")?.findings[0]?.problem).toMatch(/does not accept us: .*ECONNREFUSED/);
	expect((await examine(wrong, "--offline"))("email")).toMatchObject({ status: "skipped" });
	const none = await examine({});
	expect(none("settings")?.findings[0]?.problem).toContain("No email can be sent");
});

test("a sign-up with a known email tells its owner, and nobody else", async () => {
	const { post, backend } = await runningService({ REQUIRE_EMAIL_VERIFICATION: "true" });
	const headers = { "x-tenant-id": await newTenant(post) };
	const user = newUser("ada@example.com");
	const first = await post("/tenant/sign-up/email", user, headers);
	const second = await post("/tenant/sign-up/email", { ...user, name: "Eve" }, headers);
	expect(second.status).toBe(first.status);
	const fields = async (response: Response) =>
		Object.keys((await response.json()) as object).sort();
	expect(await fields(second)).toEqual(await fields(first));
	const [email] = (await backend.mailer.outbox?.list()) ?? [];
	expect(email).toMatchObject({ to: "ada@example.com" });
	expect(email?.subject).toBe("acme: you already have an account");
	// The name of whoever tried is not in it.
	expect(email?.text).toContain("Hello Ada");
	expect(email?.text).toContain("http://localhost:3000/t/acme/sign-in");
});
