// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, refuse } from "../support/answers";
import { emailForm } from "../support/email-form";
import { loginOptions } from "../support/fixtures/login-options";
import { describeFormStates } from "../support/form-states";
import { openTenantPage } from "../support/open-tenant-page";
import { byLabel, byRole, findByLabel, findByRole, findTexts } from "../support/screen";
import { click, type } from "../support/user";

describeFormStates("the form for a forgotten password", {
	open: (handlers) => openTenantPage("/forgot-password", handlers),
	request: "POST /request-password-reset",
	...emailForm,
	submit: "Send link",
	valid: {
		answer: json({ status: true }),
		sends: { email: "ada@acme.example", redirectTo: "/t/acme/new-password" },
		shows: ["Check your email", "If an account exists for ada@acme.example, we sent it a link."],
	},
});

describe("the page for a forgotten password", () => {
	test("lets the user try another email", async () => {
		await openTenantPage("/forgot-password", {
			"POST /request-password-reset": json({ status: true }),
		});
		await type("Email", "ada@acme.example");
		await click("Send link");
		await click("try another email");
		expect((await findByLabel("Email")).value).toBe("ada@acme.example");
	});

	test("leads to the sign-in page if the service sends no emails", async () => {
		await openTenantPage("/forgot-password", {
			"GET /tenant/login-options": json({
				...loginOptions,
				email: { ...loginOptions.email, reset: false },
			}),
		});
		expect(await findByRole("heading", "Sign in")).toBeTruthy();
		expect(location.pathname).toBe("/t/acme/sign-in");
	});
});

const RESET = "POST /reset-password";

describeFormStates("the form for a new password", {
	open: (handlers) => openTenantPage("/new-password?token=secret", handlers),
	request: RESET,
	fill: () => type("New password", "correct horse"),
	submit: "Save password",
	valid: {
		answer: json({ status: true }),
		sends: { newPassword: "correct horse", token: "secret" },
		shows: ["Password changed", "You can now sign in with your new password."],
	},
	invalid: {
		"an empty password": { change: () => type("New password", ""), field: "New password" },
		"a password that is too short": {
			change: () => type("New password", "horse"),
			field: "New password",
		},
	},
	conflict: {
		"a password of a data breach": {
			answer: refuse(400, "PASSWORD_COMPROMISED", "Compromised"),
			shows: ["This password is in a known data breach."],
		},
		"a password that it cannot check": {
			answer: refuse(503, "PASSWORD_CHECK_UNAVAILABLE", "Unavailable"),
			shows: ["We could not check this password."],
		},
	},
	keeps: { "New password": "correct horse" },
	expired: null,
});

describe("the page for a new password", () => {
	test("says that a link without a token does not work", async () => {
		await openTenantPage("/new-password?error=INVALID_TOKEN");
		await findTexts("This link no longer works");
		const link = byRole("link", "Request a new link");
		expect(link.getAttribute("href")).toBe("/t/acme/forgot-password");
	});

	test("says that a link works once", async () => {
		await openTenantPage("/new-password?token=used", {
			[RESET]: refuse(400, "INVALID_TOKEN", "Invalid token"),
		});
		await type("New password", "correct horse");
		await click("Save password");
		await findTexts("This link no longer works", "It has expired or was already used.");
		expect(byRole("link", "Request a new link")).toBeTruthy();
	});
});

test("the page for a new password says how hard it is to guess", async () => {
	await openTenantPage("/new-password?token=reset-1");
	await type("New password", "aaaaaaaaaa");
	await findTexts("Easy to guess: it repeats itself");
	expect(byLabel("New password").minLength).toBe(8);
});
