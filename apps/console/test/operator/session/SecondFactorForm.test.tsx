// @vitest-environment happy-dom
import { json, list, refuse } from "../../support/answers";
import type { Handlers } from "../../support/fake-server";
import { operatorWithRole } from "../../support/fixtures/operators";
import { newSecondFactor } from "../../support/fixtures/own-account";
import { describeFormStates } from "../../support/form-states";
import { openConsole } from "../../support/open-console";
import { findTexts } from "../../support/screen";
import { click, type } from "../../support/user";

const SET_UP = "POST /operator/account/set-up-second-factor";
const CONFIRM = "POST /operator/account/confirm-second-factor";
const CODE = "3. Enter the code that the app shows";
const ENDED = {
	answer: refuse(401, "UNAUTHORIZED", "You are not signed in"),
	shows: ["You are not signed in"],
};

/** An operator who has signed in, and has no second factor yet. */
const open = (handlers: Handlers) =>
	openConsole("/tenants", {
		"GET /operator/me": json({
			...{ status: "second-factor-required", id: "operator-1" },
			...{ email: "olga@service.example", name: "Olga Owner" },
		}),
		"GET /tenant/list": list([]),
		...handlers,
	});

describeFormStates("the password before a second factor is set up", {
	open,
	request: SET_UP,
	fill: () => type("Password", "correct horse"),
	submit: "Continue",
	valid: {
		answer: json(newSecondFactor),
		sends: { password: "correct horse" },
		shows: ["JBSWY3DPEHPK3PXP", "aaaa1-bbbb2", "After this, every sign-in asks for a code."],
	},
	invalid: { "an empty password": { change: () => type("Password", ""), field: "Password" } },
	conflict: {
		"a wrong password": {
			answer: refuse(400, "INVALID_PASSWORD", "Invalid password"),
			shows: ["Invalid password"],
		},
	},
	keeps: { Password: "correct horse" },
	expired: ENDED,
});

describeFormStates("the first code of a second factor", {
	open: async (handlers) => {
		const server = await open({
			[SET_UP]: json(newSecondFactor),
			"POST /operator/session/open": json(operatorWithRole("owner")),
			...handlers,
		});
		await type("Password", "correct horse");
		await click("Continue");
		await findTexts("JBSWY3DPEHPK3PXP");
		server.answer({ "GET /operator/me": json(operatorWithRole("owner")) });
		return server;
	},
	request: CONFIRM,
	fill: () => type(CODE, "123456"),
	submit: "Finish",
	valid: {
		answer: json({ success: true }),
		sends: { setup: "signed-setup", code: "123456" },
		shows: ["No tenants yet"],
	},
	invalid: { "an empty code": { change: () => type(CODE, ""), field: CODE } },
	conflict: {
		"a wrong code": {
			answer: refuse(400, "INVALID_CODE", "Invalid code"),
			// The same key is still there, so the app does not need another one.
			shows: ["Invalid code", "JBSWY3DPEHPK3PXP"],
		},
	},
	// The app shows another code soon.
	keeps: { [CODE]: "" },
	expired: ENDED,
});
