// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, refuse } from "../support/answers";
import { adasAccount } from "../support/fixtures/adas-account";
import { loginOptions } from "../support/fixtures/login-options";
import { adasSession } from "../support/fixtures/sessions";
import { describeFormStates } from "../support/form-states";
import { openTenantPage } from "../support/open-tenant-page";
import { byLabel, findByRole, textOf } from "../support/screen";
import { until } from "../support/time";
import { click, type } from "../support/user";

const REQUEST = "POST /tenant/sign-up/email";

async function fill(): Promise<void> {
	await type("Name", " Ada ");
	await type("Email", "ada@acme.example");
	await type("Password", "correct horse");
}

describeFormStates("the form for a new account", {
	open: (handlers) => openTenantPage("/sign-up", handlers),
	request: REQUEST,
	fill,
	submit: "Create account",
	valid: {
		answer: json({ token: null, user: adasSession.user }),
		sends: {
			name: "Ada",
			email: "ada@acme.example",
			password: "correct horse",
			callbackURL: "/t/acme/verify/done",
		},
		shows: ["Verify your email", "We sent a link to ada@acme.example."],
	},
	invalid: {
		"an empty name": { change: () => type("Name", ""), field: "Name" },
		"a name of spaces": { change: () => type("Name", "   "), field: "Name" },
		"an email without a domain": { change: () => type("Email", "ada"), field: "Email" },
		"a password that is too short": { change: () => type("Password", "horse"), field: "Password" },
	},
	conflict: {
		"a password of a data breach": {
			answer: refuse(400, "PASSWORD_COMPROMISED", "Compromised"),
			shows: ["This password is in a known data breach."],
		},
		"somebody without an invitation": {
			answer: refuse(403, "INVITATION_REQUIRED", "Invitation required"),
			shows: ["You need an invitation to create an account here."],
		},
	},
	keeps: { Name: " Ada ", Email: "ada@acme.example", Password: "correct horse" },
	expired: null,
});

describe("the sign-up page", () => {
	test("says at the email that an account with it exists", async () => {
		await openTenantPage("/sign-up", {
			[REQUEST]: refuse(422, "USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL", "User already exists"),
		});
		await fill();
		await click("Create account");
		await until(() => byLabel("Email").getAttribute("aria-invalid"));
		const error = document.getElementById(byLabel("Email").getAttribute("aria-describedby") ?? "");
		expect(error && textOf(error)).toBe(
			"An account with this email already exists. Sign in instead.",
		);
	});

	test("opens the account of a user who is signed in now", async () => {
		await openTenantPage("/sign-up", {
			...adasAccount,
			[REQUEST]: json({ token: "token-ada", user: adasSession.user }),
		});
		await fill();
		await click("Create account");
		expect(await findByRole("heading", "Account")).toBeTruthy();
	});

	test("leads to the sign-in page if nobody can sign up", async () => {
		await openTenantPage("/sign-up", {
			"GET /tenant/login-options": json({
				...loginOptions,
				email: { ...loginOptions.email, signUp: false },
			}),
		});
		expect(await findByRole("heading", "Sign in")).toBeTruthy();
		expect(location.pathname).toBe("/t/acme/sign-in");
	});
});
