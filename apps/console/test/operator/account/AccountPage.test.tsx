// @vitest-environment happy-dom
import { json } from "../../support/answers";
import { operatorWithRole } from "../../support/fixtures/operators";
import { olgasAccount } from "../../support/fixtures/own-account";
import { openConsole } from "../../support/open-console";
import { describePageStates } from "../../support/page-states";

describePageStates("the account of an operator", {
	open: (handlers) => openConsole("/account", handlers),
	request: "GET /operator/account",
	filled: {
		answer: json(olgasAccount),
		shows: ["Owner: everything, including operators and keys", "8 recovery codes are left."],
	},
	forbidden: {
		handlers: {
			"GET /operator/me": json({
				...operatorWithRole("operator"),
				...{ kind: "key", name: "Deployment", email: null, role: null },
			}),
		},
		shows: ["A key has no account"],
	},
});
