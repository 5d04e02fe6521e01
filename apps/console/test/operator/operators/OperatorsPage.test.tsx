// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, list } from "../../support/answers";
import { ivan, olga } from "../../support/fixtures/operator-accounts";
import { operatorWithout } from "../../support/fixtures/operators";
import { openConsole } from "../../support/open-console";
import { describePageStates } from "../../support/page-states";
import { allByRole, findTexts } from "../../support/screen";

const LIST = "GET /operator/list";

describePageStates("the list of operators", {
	open: (handlers) => openConsole("/operators", handlers),
	request: LIST,
	filled: {
		answer: list([olga, ivan]),
		shows: ["Olga Owner", "ADMIN_USER_IDS", "ivan@service.example", "Invited", "Not yet", "Never"],
	},
	empty: { answer: list([]), shows: ["No operators yet", "Invite yourself as an owner"] },
});

describe("the list of operators, in use", () => {
	test("has no buttons for what the operator may not do", async () => {
		await openConsole("/operators", {
			[LIST]: list([ivan]),
			"GET /operator/me": json(operatorWithout("operator:create", "operator:update")),
		});
		await findTexts("ivan@service.example");
		expect(allByRole("button", "Invite operator")).toEqual([]);
		expect(allByRole("button", /ivan@service.example$/)).toEqual([]);
	});
});
