import { describe, expect, test, vi } from "vitest";
import { totpOf } from "../../../packages/tenant-auth/test/support/providers/totp";
import { notEmpty } from "../../../testing/not-empty";
import { stopClock } from "../../../testing/stopped-clock";
import { newOperator } from "./operator-accounts";
import {
	asManager,
	cookiesOf,
	newSlug,
	newTenant,
	newUser,
	type RunningService,
	runningService,
	useService,
} from "./running-service";

const service = useService({ SECOND_FACTOR_EMAILS: "true" });

const refusalOf = async (response: Response) => [
	response.status,
	((await response.json()) as { code?: string }).code,
];

/** A user with a session, and with an authenticator app if that is wanted. */
async function newAccount(
	running: RunningService,
	{ hasApp = true, emailVerified = true, email = "ada@example.com" } = {},
) {
	const { post, baseUrl, backend } = running;
	const slug = newSlug();
	const tenantId = await newTenant(post, slug);
	const named = { "x-tenant-id": tenantId, origin: baseUrl };
	const user = newUser(email);
	await backend.auth.api.createTenantUser({ body: { tenantId, ...user, emailVerified } });
	const signIn = () => post("/tenant/sign-in/email", user, named);
	const signedIn = { ...named, cookie: cookiesOf(await signIn()) };
	if (hasApp) {
		const enabled = await post("/two-factor/enable", { password: user.password }, signedIn);
		const { totpURI } = (await enabled.json()) as { totpURI: string };
		await post("/two-factor/verify-totp", { code: totpOf(totpURI) }, signedIn);
	}
	/** After the password. */
	const challenged = async () => ({ ...named, cookie: cookiesOf(await signIn()) });
	return { ...running, tenantId, slug, named, user, signedIn, challenged };
}

const codesTo = async ({ backend }: RunningService, slug: string) =>
	((await backend.mailer.outbox?.list()) ?? [])
		.filter(({ subject }) => subject === `${slug}: your code`)
		.map(({ text }) => /\b\d{6}\b/.exec(text)?.[0] ?? "");

const otherThan = (code: string | undefined) => (code === "000000" ? "111111" : "000000");

describe("with SECOND_FACTOR_EMAILS, a code by email", () => {
	test("ends a sign-in, once, and the sign-in log says so", async () => {
		const { post, call, slug, tenantId, challenged, ...running } = await newAccount(
			await service(),
		);
		const pending = await challenged();
		expect((await post("/two-factor/send-otp", {}, pending)).status).toBe(200);
		const [code] = await codesTo({ post, call, ...running }, slug);
		const verified = await post("/two-factor/verify-otp", { code }, pending);
		expect(verified.status).toBe(200);
		expect(cookiesOf(verified)).toContain("session_token");
		expect((await post("/two-factor/verify-otp", { code }, pending)).status).toBe(401);
		expect((await post("/two-factor/verify-otp", { code }, await challenged())).status).toBe(400);
		const log = await call(`/api/auth/tenant/sign-in/list?tenantId=${tenantId}`, {
			headers: asManager,
		});
		expect(await log.json()).toContainEqual(
			expect.objectContaining({ method: "two-factor", result: "succeeded" }),
		);
	});

	test("works in its own tenant, for its own user and its own sign-in only", async () => {
		const acme = await newAccount(await service());
		const globex = await newAccount(await service());
		const { post } = acme;
		const ofAcme = await acme.challenged();
		const ofGlobex = await globex.challenged();
		await post("/two-factor/send-otp", {}, ofAcme);
		await post("/two-factor/send-otp", {}, ofGlobex);
		const [code] = await codesTo(acme, acme.slug);
		const tries = [
			ofGlobex,
			// The sign-in of one tenant with the name of the other.
			{ ...ofAcme, "x-tenant-id": globex.tenantId },
			{ ...ofGlobex, "x-tenant-id": acme.tenantId },
			await acme.challenged(),
		];
		for (const headers of notEmpty(tries)) {
			const response = await post("/two-factor/verify-otp", { code }, headers);
			expect(response.status).toBeGreaterThanOrEqual(400);
			expect(response.status).toBeLessThan(500);
			expect(cookiesOf(response)).not.toMatch(/session_token=[^;]/);
		}
	});

	test("is not a way to set up a second factor", async () => {
		const account = await newAccount(await service(), { hasApp: false });
		const { post, user, signedIn, slug } = account;
		const refusal = [403, "AUTHENTICATOR_APP_REQUIRED"];
		const enable = { method: "otp", password: user.password };
		expect(await refusalOf(await post("/two-factor/enable", enable, signedIn))).toEqual(refusal);
		expect(await refusalOf(await post("/two-factor/send-otp", {}, signedIn))).toEqual(refusal);
		const verify = { code: "123456" };
		expect(await refusalOf(await post("/two-factor/verify-otp", verify, signedIn))).toEqual(
			refusal,
		);
		expect(await codesTo(account, slug)).toEqual([]);
		const totp = { method: "totp", password: user.password };
		expect((await post("/two-factor/enable", totp, signedIn)).status).toBe(200);
	});

	test("needs the password first", async () => {
		const account = await newAccount(await service());
		const { post, named, slug } = account;
		expect((await post("/two-factor/send-otp", {}, named)).status).toBe(401);
		expect((await post("/two-factor/verify-otp", { code: "123456" }, named)).status).toBe(401);
		expect(await codesTo(account, slug)).toEqual([]);
	});

	test("goes to a verified email only", async () => {
		const account = await newAccount(await service(), { emailVerified: false });
		const response = await account.post("/two-factor/send-otp", {}, await account.challenged());
		expect(await refusalOf(response)).toEqual([403, "EMAIL_NOT_VERIFIED"]);
		expect(await codesTo(account, account.slug)).toEqual([]);
	});

	test("does not work for operators", async () => {
		const running = await service();
		const { headers } = await newOperator(running, "owner");
		for (const path of ["/two-factor/send-otp", "/two-factor/verify-otp"]) {
			const answers = [
				await running.post(path, { code: "123456" }, headers),
				await running.post(path, { code: "123456" }),
			];
			for (const { status } of notEmpty(answers)) expect([401, 403]).toContain(status);
		}
	});

	test("is not in the log, nor as it is in the database", async () => {
		const account = await newAccount(await service());
		await account.post("/two-factor/send-otp", {}, await account.challenged());
		const [code = "missing"] = await codesTo(account, account.slug);
		expect(account.log()).not.toContain(code);
		const { adapter } = await account.backend.auth.$context;
		const rows = await adapter.findMany({ model: "verification", limit: 1000 });
		expect(JSON.stringify(rows)).not.toContain(`"${code}:`);
	});

	test("is refused after five wrong ones, and after five minutes", async () => {
		stopClock();
		const running = await runningService({
			SECOND_FACTOR_EMAILS: "true",
			RATE_LIMIT_ACCOUNT: "100/60",
		});
		const account = await newAccount(running);
		const { post, slug } = account;
		const pending = await account.challenged();
		await post("/two-factor/send-otp", {}, pending);
		const [code] = await codesTo(account, slug);
		for (let i = 0; i < 5; i++) {
			const wrong = await post("/two-factor/verify-otp", { code: otherThan(code) }, pending);
			expect(await refusalOf(wrong)).toEqual([401, "INVALID_CODE"]);
		}
		expect(await refusalOf(await post("/two-factor/verify-otp", { code }, pending))).toEqual([
			400,
			"TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE",
		]);
		vi.setSystemTime(Date.now() + 60_000);
		const next = await account.challenged();
		await post("/two-factor/send-otp", {}, next);
		const [late] = await codesTo(account, slug);
		vi.setSystemTime(Date.now() + 5 * 60_000 + 1000);
		expect(await refusalOf(await post("/two-factor/verify-otp", { code: late }, next))).toEqual([
			400,
			"OTP_HAS_EXPIRED",
		]);
	});

	test("is sent as often as other emails", async () => {
		stopClock();
		const account = await newAccount(await runningService({ SECOND_FACTOR_EMAILS: "true" }));
		for (let i = 0; i < 5; i++) {
			await account.post("/two-factor/send-otp", {}, await account.challenged());
		}
		expect(await codesTo(account, account.slug)).toHaveLength(3);
	});
});

test("without SECOND_FACTOR_EMAILS, no code is sent", async () => {
	const account = await newAccount(await runningService());
	const response = await account.post("/two-factor/send-otp", {}, await account.challenged());
	expect(await refusalOf(response)).toEqual([400, "OTP_NOT_CONFIGURED"]);
	expect(await codesTo(account, account.slug)).toEqual([]);
});
