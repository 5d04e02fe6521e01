// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { json, refuse } from "../../support/answers";
import { directory } from "../../support/fixtures/directory";
import { operatorWithout } from "../../support/fixtures/operators";
import { describeFormStates } from "../../support/form-states";
import { openConsole } from "../../support/open-console";
import { allByRole, findByRole, findTexts, textOf } from "../../support/screen";
import { type } from "../../support/user";

const GET = "GET /tenant/scim/get";
const SET = "POST /tenant/scim/set-roles";
const FIELD = "Role of each group";

const open = (handlers = {}) =>
	openConsole("/tenants/tenant-acme/directory", { [GET]: json(directory), ...handlers });

describeFormStates("the form with the roles of groups", {
	open,
	request: SET,
	fill: () => type(FIELD, "App Admins = admin\n\n A = B = editor "),
	submit: "Save roles",
	valid: {
		answer: json(directory),
		sends: { tenantId: "tenant-acme", roles: { "App Admins": "admin", "A = B": "editor" } },
		shows: ["The roles of groups were saved."],
	},
	invalid: {
		"a line without a role": {
			change: () => type(FIELD, "App Admins"),
			shows: ["Each line needs a group and a role, such as: App Admins = admin"],
		},
	},
	conflict: {
		"a role that is not known": {
			answer: refuse(400, "VALIDATION_ERROR", "Invalid option"),
			shows: ["Invalid option"],
		},
	},
	keeps: { [FIELD]: "App Admins = admin\n\n A = B = editor " },
});

test("names the groups that the directory has not sent", async () => {
	await open();
	await findTexts("The directory has not sent these groups: Former Staff.");
});

test("an operator who may not change them reads them", async () => {
	await open({ "GET /operator/me": json(operatorWithout("scim:set-roles")) });
	const card = await findByRole("region", "Roles of groups");
	expect(textOf(card)).toContain("App Admins = admin");
	expect(allByRole("textbox", undefined, card)).toEqual([]);
});
