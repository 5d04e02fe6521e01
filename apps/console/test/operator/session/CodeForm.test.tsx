// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, list, refuse } from "../../support/answers";
import type { Handlers } from "../../support/fake-server";
import { operatorWithRole } from "../../support/fixtures/operators";
import { describeFormStates } from "../../support/form-states";
import { openConsole } from "../../support/open-console";
import { byLabel, findByLabel, findTexts } from "../../support/screen";
import { click, type } from "../../support/user";

const VERIFY = "POST /two-factor/verify-totp";
const WRONG = refuse(401, "INVALID_CODE", "Invalid code");
const owner = operatorWithRole("owner");

/** Signs in with the password. Then the service asks for the second factor. */
async function open(handlers: Handlers) {
	const server = await openConsole("/tenants", {
		"GET /operator/me": refuse(401, "UNAUTHORIZED", "Unauthorized"),
		"POST /sign-in/email": json({ twoFactorRedirect: true }),
		"POST /operator/session/open": json(owner),
		"GET /tenant/list": list([]),
		...handlers,
	});
	await type("Email", "olga@service.example");
	await type("Password", "correct horse");
	await click("Sign in");
	await findTexts("Open your authenticator app to see it.");
	server.answer({ "GET /operator/me": json(owner) });
	return server;
}

describeFormStates("the form for the second factor", {
	open,
	request: VERIFY,
	fill: () => type("Code", " 123456 "),
	submit: "Continue",
	valid: {
		answer: json({ token: "t" }),
		sends: { code: "123456" },
		shows: ["No tenants yet"],
	},
	invalid: { "an empty code": { change: () => type("Code", ""), field: "Code" } },
	conflict: { "a wrong code": { answer: WRONG, shows: ["Invalid code"] } },
	// The app shows another code soon.
	keeps: { Code: "" },
	expired: {
		answer: refuse(401, "INVALID_TWO_FACTOR_COOKIE", "Invalid two factor cookie"),
		shows: ["Invalid two factor cookie"],
	},
});

describe("the form for the second factor, in use", () => {
	test("takes a recovery code from somebody who lost the app", async () => {
		const server = await open({ "POST /two-factor/verify-backup-code": json({ token: "t" }) });
		await click("Use a recovery code");
		await type("Recovery code", "aaaa1-bbbb2");
		await click("Continue");
		await findTexts("No tenants yet");
		expect(server.sent("POST /two-factor/verify-backup-code")).toMatchObject([
			{ body: { code: "aaaa1-bbbb2" } },
		]);
		expect(server.sent(VERIFY)).toEqual([]);
	});

	test("does not show the error of one method at the field of the other", async () => {
		await open({ [VERIFY]: WRONG });
		await type("Code", "123456");
		await click("Continue");
		await findTexts("Invalid code");
		expect(byLabel("Code").getAttribute("aria-invalid")).toBe("true");
		await click("Use a recovery code");
		expect((await findByLabel("Recovery code")).getAttribute("aria-invalid")).toBeNull();
	});
});
