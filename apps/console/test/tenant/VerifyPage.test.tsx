// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, refuse } from "../support/answers";
import { emailForm } from "../support/email-form";
import { describeFormStates } from "../support/form-states";
import { openTenantPage } from "../support/open-tenant-page";
import { allByRole, byLabel, byRole, findByRole, findTexts } from "../support/screen";
import { until } from "../support/time";
import { click, type } from "../support/user";

describeFormStates("the form for another verification link", {
	open: (handlers) => openTenantPage("/verify", handlers),
	request: "POST /send-verification-email",
	...emailForm,
	submit: "Send a new link",
	valid: {
		answer: json({ status: true }),
		sends: { email: "ada@acme.example", callbackURL: "/t/acme/verify/done" },
		shows: ["If this email is not verified yet, we have sent it a link."],
	},
});

describe("the page for an email that is not verified", () => {
	test("comes after a sign-in, and knows the email", async () => {
		await openTenantPage("/sign-in", {
			"POST /tenant/sign-in/email": refuse(403, "EMAIL_NOT_VERIFIED", "Email not verified"),
		});
		await type("Email", "ada@acme.example");
		await type("Password", "correct horse");
		await click("Sign in");
		await findTexts("Verify your email before you sign in.", "Send the link again");
		expect(byLabel("Email").value).toBe("ada@acme.example");
	});
});

describe("the page of a verification link", () => {
	test("opens the link of an email only when the user asks for it", async () => {
		const link = "token=secret&callbackURL=%2Ft%2Facme%2Fverify%2Fdone";
		await openTenantPage(`/verify?${new URLSearchParams({ link })}`);
		await findTexts("Press the button to verify your email for Acme.");
		expect(location.pathname).toBe("/t/acme/verify");
		await click(byRole("button", "Verify your email"));
		await until(() => location.pathname === "/api/auth/verify-email");
		expect(location.search).toBe(`?${link}`);
	});

	test("says that the email is verified, and leads to the account", async () => {
		await openTenantPage("/verify/done");
		await findTexts("Thank you", "Your email is verified.");
		expect(byRole("link", "Go to your account").getAttribute("href")).toBe("/t/acme/account");
	});

	test("leads to the app that sent the user", async () => {
		const app = "http://localhost:3000/app";
		await openTenantPage(
			`/verify/done?callbackURL=${encodeURIComponent(app)}`,
			{},
			{ "callback-url": app },
		);
		expect((await findByRole("link", "Continue")).getAttribute("href")).toBe(app);
	});

	test("says that a change of the email may need another link", async () => {
		await openTenantPage("/verify/changed");
		await findTexts("Thank you", "we have sent another one to your new email");
		expect(allByRole("button", "Send a new link")).toEqual([]);
	});

	test.each([
		["token_expired", "This link has expired"],
		["invalid_token", "This link is not valid"],
	])("offers a new link after the error %s", async (code, title) => {
		await openTenantPage(`/verify/done?error=${code}`);
		await findTexts(title, "We can send you a new one.");
		expect(byRole("button", "Send a new link")).toBeTruthy();
	});
});
