// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, list, refuse } from "../../support/answers";
import type { Handlers } from "../../support/fake-server";
import { adasAccount, sessionEnded } from "../../support/fixtures/adas-account";
import { loginOptions } from "../../support/fixtures/login-options";
import { describeFormStates } from "../../support/form-states";
import { openTenantPage } from "../../support/open-tenant-page";
import { allByRole, byLabel, byRole, findByRole, findTexts, textOf } from "../../support/screen";
import { pass, until } from "../../support/time";
import { click, type } from "../../support/user";

const REQUEST = "POST /change-password";
const RESET = "POST /request-password-reset";

const open = (handlers: Handlers) => openTenantPage("/account", { ...adasAccount, ...handlers });

async function fill(): Promise<void> {
	await type("Current password", "correct horse");
	await type("New password", "battery staple");
}

describeFormStates("the form for another password", {
	open,
	request: REQUEST,
	fill,
	submit: "Change password",
	valid: {
		answer: json({ token: null }),
		sends: {
			currentPassword: "correct horse",
			newPassword: "battery staple",
			revokeOtherSessions: true,
		},
		shows: ["Password changed."],
	},
	invalid: {
		"an empty current password": {
			change: () => type("Current password", ""),
			field: "Current password",
		},
		"a new password that is too short": {
			change: () => type("New password", "staple"),
			field: "New password",
		},
	},
	conflict: {
		"a wrong current password": {
			answer: refuse(400, "INVALID_PASSWORD", "Invalid password"),
			shows: ["Incorrect password."],
		},
		"a password of a data breach": {
			answer: refuse(400, "PASSWORD_COMPROMISED", "Compromised"),
			shows: ["This password is in a known data breach."],
		},
	},
	keeps: { "Current password": "correct horse", "New password": "battery staple" },
	expired: sessionEnded,
});

describe("the password of an account", () => {
	test("is forgotten by the form after a change, and other sessions can stay", async () => {
		const server = await open({ [REQUEST]: json({ token: null }) });
		await fill();
		await click(byLabel("Sign out of all other devices"));
		await click("Change password");
		await findTexts("Password changed.");
		expect(byLabel("Current password").value).toBe("");
		expect(byLabel("New password").value).toBe("");
		expect(server.sent(REQUEST)).toMatchObject([{ body: { revokeOtherSessions: false } }]);
	});

	test("has its error at the field that is wrong", async () => {
		await open({ [REQUEST]: refuse(400, "INVALID_PASSWORD", "Invalid password") });
		await fill();
		await click("Change password");
		await until(() => byLabel("Current password").getAttribute("aria-invalid"));
		const describedBy = byLabel("Current password").getAttribute("aria-describedby") ?? "";
		const error = document.getElementById(describedBy);
		expect(error && textOf(error)).toBe("Incorrect password.");
		expect(byLabel("New password").getAttribute("aria-invalid")).toBeNull();
	});
});

describe("an account without a password", () => {
	const withoutPassword: Handlers = {
		"GET /list-accounts": list([{ id: "account-github", providerId: "github", accountId: "ada" }]),
	};

	test("gets one with a link in an email", async () => {
		const server = await open({ ...withoutPassword, [RESET]: json({ status: true }) });
		await findTexts("You have no password.");
		expect(server.sent(RESET)).toEqual([]);
		await click("Send me a link to set a password");
		await findTexts("We sent you a link. Open it to set a password.");
		expect(server.sent(RESET).map(({ body }) => body)).toEqual([
			{ email: "ada@acme.example", redirectTo: "/t/acme/new-password" },
		]);
	});

	test("says so if the link could not be sent", async () => {
		await open({ ...withoutPassword, [RESET]: refuse(429, "", "Too many requests") });
		await click("Send me a link to set a password");
		await findTexts("Too many attempts.");
		expect(byRole("button", "Send me a link to set a password")).toBeTruthy();
	});

	test("is not asked for one where nobody signs in with a password", async () => {
		await open({
			...withoutPassword,
			"GET /tenant/login-options": json({
				...loginOptions,
				email: { ...loginOptions.email, signIn: false },
			}),
		});
		await findByRole("region", "Linked accounts");
		await pass(10);
		expect(allByRole("region", "Password")).toEqual([]);
	});
});

test("the new password is compared with the name and the email of the user", async () => {
	await open({});
	await type("New password", "ada@acme1");
	await findTexts("Easy to guess: it has a name or an email in it");
	await type("New password", "correct horse");
	await findTexts("Password strength: Good");
	expect(document.querySelectorAll(".strength")).toHaveLength(1);
});
