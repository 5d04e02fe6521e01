// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { type Answer, json, never, offline, refuse } from "../../support/answers";
import type { Handlers } from "../../support/fake-server";
import { describeFormStates } from "../../support/form-states";
import { openConsole } from "../../support/open-console";
import { allByRole, byLabel, byRole, findByLabel, findTexts, isBusy } from "../../support/screen";
import { pass, until } from "../../support/time";
import { click, type } from "../../support/user";

const CHECK = "GET /reset-password/for-ivan";
const RESET = "POST /reset-password";
const REQUEST_LINK = "POST /request-password-reset";

/** Better Auth redirects to the page of the console, with an error if the link does not work. */
const redirectTo =
	(query: string): Answer =>
	() =>
		Object.defineProperty(new Response(), "url", {
			value: `http://localhost:3000/console/new-password?${query}`,
		});

const openNewPassword = (handlers: Handlers = {}) =>
	openConsole("/new-password?token=for-ivan", {
		[CHECK]: redirectTo("token=for-ivan"),
		...handlers,
	});

const INVALID_TOKEN = refuse(400, "INVALID_TOKEN", "Invalid token");

describeFormStates("the form for a new password", {
	open: openNewPassword,
	request: RESET,
	fill: () => type("New password", "correct horse"),
	submit: "Save password",
	valid: {
		answer: json({ status: true }),
		sends: { newPassword: "correct horse", token: "for-ivan" },
		shows: ["Password saved", "You can now sign in."],
	},
	invalid: {
		"an empty password": { change: () => type("New password", ""), field: "New password" },
	},
	conflict: {
		"a password that is in a known breach": {
			answer: refuse(400, "PASSWORD_COMPROMISED", "This password is in a known breach"),
			shows: ["This password is in a known breach"],
		},
	},
	keeps: { "New password": "correct horse" },
	expired: null,
});

describe("the page for a new password", () => {
	const NO_LONGER = "This link no longer works";

	test("checks the link before it asks for a password", async () => {
		const server = await openNewPassword({ [CHECK]: never() });
		await until(() => server.sent(CHECK).length > 0);
		await pass(10);
		expect(isBusy()).toBe(true);
		expect(allByRole("button", "Save password")).toEqual([]);
	});

	test("says so if the link does not work any more", async () => {
		await openNewPassword({ [CHECK]: redirectTo("error=INVALID_TOKEN") });
		await findTexts(NO_LONGER, "Ask an owner for a new one.");
		expect(byRole("link", "Sign in").getAttribute("href")).toBe("/console");
	});

	test("says so if there is no token in the link", async () => {
		const server = await openConsole("/new-password");
		await findTexts(NO_LONGER);
		expect(server.requests).toEqual([]);
	});

	test("says so if the link expires while the user chooses a password", async () => {
		await openNewPassword({ [RESET]: INVALID_TOKEN });
		await type("New password", "correct horse");
		await click("Save password");
		await findTexts(NO_LONGER);
		expect(allByRole("button", "Save password")).toEqual([]);
	});

	test("lets the user go on if the link could not be checked", async () => {
		await openNewPassword({ [CHECK]: offline() });
		expect(await findByLabel("New password")).toBeTruthy();
	});
});

describeFormStates("the form for a link to a new password", {
	open: (handlers) => openConsole("/forgot-password", handlers),
	request: REQUEST_LINK,
	fill: () => type("Email", "ivan@service.example"),
	submit: "Send link",
	valid: {
		answer: json({ status: true }),
		sends: { email: "ivan@service.example", redirectTo: "/console/new-password" },
		// It does not tell whether somebody is an operator.
		shows: ["Check your email", "If ivan@service.example is an operator, we sent a link."],
	},
	invalid: { "an email without a domain": { change: () => type("Email", "ivan"), field: "Email" } },
	conflict: {
		"too many requests": {
			answer: refuse(429, "", "Too many requests"),
			shows: ["Too many requests"],
		},
	},
	keeps: { Email: "ivan@service.example" },
	expired: null,
});

test("the page for a new password says how hard it is to guess", async () => {
	await openNewPassword();
	await type("New password", "Password123!");
	await findTexts("many people use such a password");
	expect(byLabel("New password").minLength).toBe(8);
});
