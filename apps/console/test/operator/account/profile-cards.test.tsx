// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, refuse } from "../../support/answers";
import type { Handlers } from "../../support/fake-server";
import { olgasAccount } from "../../support/fixtures/own-account";
import { describeFormStates } from "../../support/form-states";
import { openConsole } from "../../support/open-console";
import { allByText, byLabel, byRole, findByLabel, findTexts, reasonOf } from "../../support/screen";
import { click, type } from "../../support/user";

const UPDATE = "POST /operator/account/update";
const CHANGE = "POST /operator/account/change-password";
const ENDED = {
	answer: refuse(401, "UNAUTHORIZED", "You are not signed in"),
	shows: ["You are not signed in"],
};

const open = (handlers: Handlers = {}) =>
	openConsole("/account", { "GET /operator/account": json(olgasAccount), ...handlers });

describeFormStates("the form for the own name", {
	open,
	request: UPDATE,
	fill: () => type("Name", " Olga Petrova "),
	submit: "Save name",
	valid: {
		answer: json({ success: true }),
		sends: { name: "Olga Petrova" },
		shows: ["Name saved."],
	},
	invalid: {
		"an empty name": { change: () => type("Name", ""), field: "Name" },
		"a name that has only spaces": { change: () => type("Name", "  "), field: "Name" },
	},
	conflict: {
		"a name with control characters": {
			answer: refuse(400, "INVALID_NAME", "The name is not valid"),
			shows: ["The name is not valid"],
		},
	},
	keeps: { Name: " Olga Petrova " },
	expired: ENDED,
});

async function fillPassword(): Promise<void> {
	await type("Current password", "correct horse");
	await type("New password", "battery staple");
}

describeFormStates("the form for the own password", {
	open,
	request: CHANGE,
	fill: fillPassword,
	submit: "Change password",
	valid: {
		answer: json({ success: true }),
		sends: { currentPassword: "correct horse", newPassword: "battery staple" },
		shows: ["Password changed."],
	},
	invalid: {
		"no current password": {
			change: () => type("Current password", ""),
			field: "Current password",
		},
		"an empty new password": { change: () => type("New password", ""), field: "New password" },
	},
	conflict: {
		"a wrong password": {
			answer: refuse(400, "INVALID_PASSWORD", "Invalid password"),
			shows: ["Invalid password"],
		},
		"a password that is in a known breach": {
			answer: refuse(400, "PASSWORD_COMPROMISED", "This password is in a known breach"),
			shows: ["This password is in a known breach"],
		},
	},
	keeps: { "Current password": "correct horse", "New password": "battery staple" },
	expired: ENDED,
});

describe("the profile of an operator", () => {
	test("offers to save the name only if it has changed", async () => {
		const server = await open();
		await findByLabel("Name");
		expect(reasonOf(byRole("button", "Save name"))).toBe("Nothing has changed.");
		const [reason] = allByText("Nothing has changed.");
		expect(reason?.className).toBe("visually-hidden");
		await click("Save name");
		expect(reason?.className).toBe("button-reason small");
		expect(server.sent(UPDATE)).toEqual([]);
		await type("Name", "Olga");
		expect(reasonOf(byRole("button", "Save name"))).toBeNull();
	});

	test.each([
		["the current password", "Current password", "INVALID_PASSWORD"],
		["the new password", "New password", "PASSWORD_TOO_SHORT"],
	])("says at the field that %s is wrong", async (_, label, code) => {
		await open({ [CHANGE]: refuse(400, code, "This is wrong") });
		await fillPassword();
		await click("Change password");
		await findTexts("This is wrong");
		expect(byLabel(label).getAttribute("aria-invalid")).toBe("true");
	});

	test("empties both fields after the password was changed", async () => {
		await open({ [CHANGE]: json({ success: true }) });
		await fillPassword();
		await click("Change password");
		await findTexts("Password changed.");
		expect(byLabel("Current password").value).toBe("");
		expect(byLabel("New password").value).toBe("");
	});
});

test("the new password of an operator has a hint how hard it is to guess", async () => {
	await open();
	await type("New password", "vault-lamp");
	await findTexts("Password strength: Fair. A longer one is better.");
	expect(document.querySelectorAll("[aria-live=polite] .strength-bars")).toHaveLength(1);
});
