// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, refuse } from "../../support/answers";
import type { Handlers } from "../../support/fake-server";
import { newSecondFactor, olgasAccount } from "../../support/fixtures/own-account";
import { describeFormStates } from "../../support/form-states";
import { openConsole } from "../../support/open-console";
import { allByRole, findByLabel, findTexts, textOf } from "../../support/screen";
import { click, type } from "../../support/user";

const CREATE_CODES = "POST /operator/account/create-recovery-codes";
const CONFIRM = "POST /operator/account/confirm-second-factor";

const open = (handlers: Handlers = {}) =>
	openConsole("/account", { "GET /operator/account": json(olgasAccount), ...handlers });

describeFormStates("the form for new recovery codes", {
	open: async (handlers) => {
		const server = await open(handlers);
		await click("New recovery codes");
		return server;
	},
	request: CREATE_CODES,
	fill: () => type("Password", "correct horse"),
	submit: "Create codes",
	valid: {
		answer: json({ recoveryCodes: ["eeee5-ffff6", "gggg7-hhhh8"] }),
		sends: { password: "correct horse" },
		shows: ["eeee5-ffff6", "gggg7-hhhh8", "they are not shown again."],
	},
	invalid: { "an empty password": { change: () => type("Password", ""), field: "Password" } },
	conflict: {
		"a wrong password": {
			answer: refuse(400, "INVALID_PASSWORD", "Invalid password"),
			shows: ["Invalid password"],
		},
	},
	// Another password has to be typed anyway.
	keeps: { Password: "" },
	expired: {
		answer: refuse(401, "UNAUTHORIZED", "You are not signed in"),
		shows: ["You are not signed in"],
	},
});

describe("the second factor of an operator", () => {
	test("does not show recovery codes again after the dialog was closed", async () => {
		await open({ [CREATE_CODES]: json({ recoveryCodes: ["eeee5-ffff6"] }) });
		await click("New recovery codes");
		await type("Password", "correct horse");
		await click("Create codes");
		await findTexts("eeee5-ffff6");
		await click("Done");
		expect(textOf(document.body)).not.toContain("eeee5-ffff6");
		await click("New recovery codes");
		expect(await findByLabel("Password")).toBeTruthy();
		expect(textOf(document.body)).not.toContain("eeee5-ffff6");
	});

	test("warns if only few recovery codes are left", async () => {
		await open({ "GET /operator/account": json({ ...olgasAccount, recoveryCodesLeft: 1 }) });
		await findTexts("One recovery code is left. Create new ones.");
		expect(allByRole("status").some((notice) => textOf(notice).includes("One recovery"))).toBe(
			true,
		);
	});

	test("replaces the app, and says what that means before it is done", async () => {
		const server = await open({
			"POST /operator/account/set-up-second-factor": json(newSecondFactor),
			[CONFIRM]: json({ success: true }),
		});
		await click("Replace the authenticator app");
		await type("Password", "correct horse");
		await click("Continue");
		await findTexts("the old app and the old recovery codes do not work any more");
		await type("3. Enter the code that the app shows", "123456");
		await click("Finish");
		await findTexts("The second factor is set up.");
		expect(server.sent(CONFIRM)).toMatchObject([{ body: { setup: "signed-setup" } }]);
		expect(textOf(document.body)).not.toContain("JBSWY3DPEHPK3PXP");
	});

	test("offers no recovery codes to an operator without a second factor", async () => {
		await open({
			"GET /operator/account": json({ ...olgasAccount, secondFactor: false, recoveryCodesLeft: 0 }),
		});
		await findTexts("Not set up", "Set up a second factor");
		expect(allByRole("button", "New recovery codes")).toEqual([]);
	});
});
