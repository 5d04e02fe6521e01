// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, refuse } from "../support/answers";
import type { Handlers } from "../support/fake-server";
import { adasAccount } from "../support/fixtures/adas-account";
import { loginOptions } from "../support/fixtures/login-options";
import { adasSession } from "../support/fixtures/sessions";
import { describeFormStates } from "../support/form-states";
import { openTenantPage } from "../support/open-tenant-page";
import { byLabel, findByRole, textOf } from "../support/screen";
import { until } from "../support/time";
import { choose, click, type } from "../support/user";

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

const asked = json({
	fields: [
		{ name: "company", label: "Company", type: "text", required: true },
		{
			...{ name: "department", label: "Department", type: "choice", required: false },
			choices: ["Sales", "Research"],
		},
		{ name: "newsletter", label: "I want the newsletter", type: "checkbox", required: false },
	],
});

const openAsked = (handlers: Handlers) =>
	openTenantPage("/sign-up", { "GET /sign-up-fields/list": asked, ...handlers });

async function fillAsked(): Promise<void> {
	await fill();
	await type("Company", "Acme Inc");
	await choose("Department", "Research");
	await click(byLabel("I want the newsletter"));
}

describeFormStates("the form for a new account with fields of the tenant", {
	open: openAsked,
	request: REQUEST,
	fill: fillAsked,
	submit: "Create account",
	valid: {
		answer: json({ token: null, user: adasSession.user }),
		sends: {
			name: "Ada",
			email: "ada@acme.example",
			password: "correct horse",
			callbackURL: "/t/acme/verify/done",
			metadata: { signUp: { company: "Acme Inc", department: "Research", newsletter: true } },
		},
		shows: ["Verify your email"],
	},
	invalid: {
		"an empty field that is required": { change: () => type("Company", ""), field: "Company" },
		"a required field of spaces": { change: () => type("Company", "  "), field: "Company" },
	},
	conflict: {
		"a field that is new": {
			answer: refuse(400, "SIGN_UP_FIELD_REQUIRED", '"city" is required'),
			shows: ["The fields of this form have changed."],
		},
	},
	keeps: { Company: "Acme Inc", Department: "Research" },
	expired: null,
});

describe("the fields of the tenant", () => {
	test("have the order of the tenant, and say which are not required", async () => {
		await openAsked({});
		await findByRole("button", "Create account");
		const labels = [...document.querySelectorAll("form label")].map((label) => textOf(label));
		expect(labels).toEqual([
			...["Name", "Email", "Password", "Company", "Department", "I want the newsletter"],
		]);
		const optional = byLabel("Department").closest(".field");
		expect(optional && textOf(optional)).toContain("optional");
		const required = byLabel("Company").closest(".field");
		expect(required && textOf(required)).not.toContain("optional");
	});

	test("that are not filled in are left out, except for a checkbox", async () => {
		const server = await openAsked({
			[REQUEST]: json({ token: null, user: adasSession.user }),
		});
		await fill();
		await type("Company", "Acme");
		await click("Create account");
		await findByRole("heading", "Verify your email");
		expect(server.sent(REQUEST)[0]?.body).toMatchObject({
			metadata: { signUp: { company: "Acme", newsletter: false } },
		});
	});

	test("are loaded again if the server refuses one", async () => {
		const server = await openAsked({
			[REQUEST]: refuse(400, "SIGN_UP_FIELD_UNKNOWN", '"company" is not a field of this form'),
		});
		await fillAsked();
		await click("Create account");
		await until(() => server.sent("GET /sign-up-fields/list").length === 2);
		expect(byLabel("Company").value).toBe("Acme Inc");
	});

	test("that could not be loaded leave a button to try again", async () => {
		await openTenantPage("/sign-up", {
			"GET /sign-up-fields/list": refuse(400, "ANY", "Refused"),
		});
		expect(await findByRole("button", "Try again")).toBeTruthy();
	});
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

	const termsUrl = "https://acme.example/terms";
	const privacyUrl = "https://acme.example/privacy";
	const openWith = async (branding: object) => {
		await openTenantPage("/sign-up", {
			"GET /tenant/login-options": json({ ...loginOptions, branding }),
		});
		await findByRole("heading", "Create an account");
	};

	test.each([
		[{ termsUrl, privacyUrl }, "you accept the terms of service and the privacy policy."],
		[{ termsUrl }, "you accept the terms of service."],
		[{ privacyUrl }, "you accept the privacy policy."],
	])("says what somebody accepts who signs up, with %o", async (branding, sentence) => {
		await openWith(branding);
		expect(textOf(document.body)).toContain(`By signing up, ${sentence}`);
		const links = [...document.querySelectorAll<HTMLAnchorElement>("main a[target]")];
		expect(links.map((link) => link.getAttribute("href"))).toEqual(Object.values(branding));
	});

	test("says nothing of terms if the tenant has none", async () => {
		await openWith({});
		expect(textOf(document.body)).not.toContain("By signing up");
		expect(document.querySelectorAll("a[target]")).toHaveLength(0);
	});
});

describe("the password of a new user", () => {
	test("has a hint how hard it is to guess, which screen readers announce", async () => {
		await openTenantPage("/sign-up");
		await type("Name", "Ada Lovelace");
		await type("Email", "ada@acme.example");
		const hint = document.querySelector("[aria-live=polite]");
		expect(hint?.textContent).toBe("");
		await type("Password", "short");
		expect(hint?.textContent).toBe("Password strength: Too short");
		await type("Password", "lovelace1");
		expect(hint?.textContent).toContain("it has a name or an email in it");
		await type("Password", "Password123!");
		expect(hint?.textContent).toContain("many people use such a password");
		await type("Password", "correct horse");
		expect(hint?.textContent).toBe("Password strength: Good");
	});

	test("may be one that the page finds easy to guess: the service decides", async () => {
		await openTenantPage("/sign-up");
		await type("Password", "Password123!");
		expect(byLabel("Password").checkValidity()).toBe(true);
	});
});
