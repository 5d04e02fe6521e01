// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, refuse } from "../support/answers";
import { fakeCaptcha } from "../support/fake-captcha";
import type { FakeServer, Handlers } from "../support/fake-server";
import { loginOptions } from "../support/fixtures/login-options";
import { openTenantPage } from "../support/open-tenant-page";
import { allByRole, findByRole, findTexts } from "../support/screen";
import { click, type } from "../support/user";

const SIGN_IN = "POST /tenant/sign-in/email";
const WRONG = refuse(401, "INVALID_EMAIL_OR_PASSWORD", "Invalid email or password");

const solutionsSent = (server: FakeServer, request: string) =>
	server.sent(request).map(({ headers }) => headers.get("x-captcha-response"));

async function openSignIn(handlers: Handlers = {}, provider?: "hcaptcha" | "recaptcha") {
	const captcha = fakeCaptcha(provider);
	const server = await openTenantPage("/sign-in", { [SIGN_IN]: WRONG, ...handlers }, captcha.meta);
	await type("Email", "ada@acme.example");
	await type("Password", "correct horse");
	return { captcha, server };
}

describe("a captcha", () => {
	test.each([
		[undefined, "https://challenges.cloudflare.com/turnstile/v0/api.js"],
		["hcaptcha", "https://js.hcaptcha.com/1/api.js"],
		["recaptcha", "https://www.google.com/recaptcha/api.js"],
	] as const)("shows the widget of its provider (%s)", async (provider, url) => {
		const { captcha } = await openSignIn({}, provider);
		await captcha.load();
		const [script] = captcha.scripts;
		expect(captcha.scripts).toHaveLength(1);
		expect(script?.src.split("?")[0]).toBe(url);
		const query = new URL(script?.src ?? "").searchParams;
		expect(Object.fromEntries(query)).toMatchObject({
			render: "explicit",
			onload: "captchaLoaded",
		});
		expect(captcha.widgets).toHaveLength(1);
		expect(captcha.widgets[0]?.options.sitekey).toBe("site-key");
		expect(captcha.widgets[0]?.box).toBe(await findByRole("group", "Check that you are a person"));
	});

	test("is not there, and loads no script, if the service asks for none", async () => {
		const captcha = fakeCaptcha();
		const server = await openTenantPage("/sign-in", { [SIGN_IN]: WRONG });
		await type("Email", "ada@acme.example");
		await type("Password", "correct horse");
		await click("Sign in");
		await findTexts("Incorrect email or password.");
		expect(captcha.scripts).toEqual([]);
		expect(allByRole("group", "Check that you are a person")).toEqual([]);
		expect(solutionsSent(server, SIGN_IN)).toEqual([null]);
	});

	test("is solved again after an attempt that was refused", async () => {
		const { captcha, server } = await openSignIn();
		await captcha.load();
		await captcha.solve("first");
		await click("Sign in");
		await findTexts("Incorrect email or password.");
		expect(captcha.resets).toEqual([0]);
		await captcha.solve("second");
		await click("Sign in");
		await findTexts("Incorrect email or password.");
		expect(solutionsSent(server, SIGN_IN)).toEqual(["first", "second"]);
	});

	test("that is not solved is asked for, and is not started again", async () => {
		const { captcha, server } = await openSignIn({
			[SIGN_IN]: refuse(400, "MISSING_RESPONSE", "Missing CAPTCHA response"),
		});
		await captcha.load();
		await click("Sign in");
		await findTexts("Confirm that you are a person, and try again.");
		expect(solutionsSent(server, SIGN_IN)).toEqual([null]);
		expect(captcha.resets).toEqual([]);
	});

	test.each([
		[403, "VERIFICATION_FAILED", "The check that you are a person failed. Try again."],
		[503, "CAPTCHA_UNAVAILABLE", "We could not check that you are a person."],
	])("that the server does not accept (%s %s) is solved again", async (status, code, text) => {
		const { captcha } = await openSignIn({ [SIGN_IN]: refuse(status, code, "") });
		await captcha.load();
		await captcha.solve("first");
		await click("Sign in");
		await findTexts(text);
		expect(captcha.resets).toEqual([0]);
	});

	test("that has expired is not sent", async () => {
		const { captcha, server } = await openSignIn();
		await captcha.load();
		await captcha.solve("old");
		await captcha.expire();
		await click("Sign in");
		await findTexts("Incorrect email or password.");
		expect(solutionsSent(server, SIGN_IN)).toEqual([null]);
	});

	test("that a content blocker stops says what to do", async () => {
		const { captcha } = await openSignIn();
		await captcha.block();
		await findTexts("Turn off content blockers for this page, and load it again.");
		expect(await findByRole("alert")).toBeTruthy();
	});

	test("says that it does not work, until it does", async () => {
		const { captcha } = await openSignIn();
		await captcha.load();
		await captcha.fail();
		await findTexts("could not load");
		await captcha.solve("at last");
		expect(allByRole("alert")).toEqual([]);
	});

	test.each([undefined, "recaptcha"] as const)(
		"of the next form (%s) uses the script that is there",
		async (provider) => {
			const { captcha, server } = await openSignIn(
				{ "POST /request-password-reset": json({ status: true }) },
				provider,
			);
			await captcha.load();
			await captcha.solve("of the first form");
			await click(await findByRole("link", "Forgot your password?"));
			await type("Email", "ada@acme.example");
			expect(captcha.scripts).toHaveLength(1);
			expect(captcha.widgets).toHaveLength(2);
			expect(captcha.removed).toEqual(provider ? [] : [0]);
			await captcha.solve("of the second form");
			await click("Send link");
			await findTexts("Check your email");
			expect(solutionsSent(server, "POST /request-password-reset")).toEqual(["of the second form"]);
		},
	);
});

describe("the solution is sent with", () => {
	const options = { ...loginOptions, methods: [...loginOptions.methods, "magic-link"] };

	test.each([
		["/sign-up", "POST /tenant/sign-up/email", "Create account"],
		["/forgot-password", "POST /request-password-reset", "Send link"],
		["/email-link", "POST /sign-in/magic-link", "Send link"],
		["/verify", "POST /send-verification-email", "Send a new link"],
	])("the form of %s", async (path, request, submit) => {
		const captcha = fakeCaptcha();
		const server = await openTenantPage(
			path,
			{
				"GET /tenant/login-options": json(options),
				[request]: refuse(400, "INVALID_EMAIL", "Invalid email"),
			},
			captcha.meta,
		);
		await type("Email", "ada@acme.example");
		if (path === "/sign-up") {
			await type("Name", "Ada");
			await type("Password", "correct horse");
		}
		await captcha.load();
		await captcha.solve("solved");
		await click(submit);
		await findTexts("Enter a valid email.");
		expect(solutionsSent(server, request)).toEqual(["solved"]);
		expect(captcha.resets).toEqual([0]);
	});
});
