// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { type Answer, json, refuse } from "../support/answers";
import type { Handlers } from "../support/fake-server";
import { adasAccount, sessionEnded } from "../support/fixtures/adas-account";
import { enrollment } from "../support/fixtures/second-factor";
import { describeFormStates } from "../support/form-states";
import { openTenantPage } from "../support/open-tenant-page";
import { allByRole, findByLabel, findTexts } from "../support/screen";
import { click, type } from "../support/user";

const REQUEST = "POST /two-factor/enable";

const WRONG_PASSWORD = refuse(400, "INVALID_PASSWORD", "Invalid password");

/** The service asks a user with a password for it. */
const asksPassword = (answer: Answer): Handlers => ({
	[REQUEST]: ({ body }) => (Object(body).password ? answer() : WRONG_PASSWORD()),
});

/** The form of the page for a second factor, after the service has asked for the password. */
async function open(handlers: Handlers) {
	const { [REQUEST]: answer, ...others } = handlers;
	const server = await openTenantPage("/second-factor", {
		...adasAccount,
		...others,
		...asksPassword(answer as Answer),
	});
	await click("Continue");
	await findByLabel("Password");
	// The first request only asked whether there is a password.
	server.requests.length = 0;
	return server;
}

describeFormStates("the form for the password of a signed-in user", {
	open,
	request: REQUEST,
	fill: () => type("Password", "correct horse"),
	submit: "Continue",
	valid: {
		answer: json(enrollment),
		sends: { method: "totp", issuer: "Acme", password: "correct horse" },
		shows: ["Scan this code with an authenticator app"],
	},
	invalid: { "an empty password": { change: () => type("Password", ""), field: "Password" } },
	conflict: {
		"a wrong password": { answer: WRONG_PASSWORD, shows: ["Incorrect password."] },
		"a user who has a second factor": {
			answer: refuse(400, "TOTP_ALREADY_ENABLED", "Already enabled"),
			shows: ["Two-step verification is on already."],
		},
	},
	keeps: { Password: "correct horse" },
	expired: sessionEnded,
});

describe("the form for the password of a signed-in user, in use", () => {
	test("asks for the password without calling it wrong", async () => {
		await open({ [REQUEST]: json(enrollment) });
		await findTexts("Enter your password to confirm that it is you.");
		expect(allByRole("alert")).toEqual([]);
	});

	test("asks a user without a password for nothing", async () => {
		const server = await openTenantPage("/second-factor", {
			...adasAccount,
			[REQUEST]: json(enrollment),
		});
		await click("Continue");
		await findTexts("Scan this code with an authenticator app");
		expect(server.sent(REQUEST).map(({ body }) => body)).toEqual([
			{ method: "totp", issuer: "Acme" },
		]);
	});
});
