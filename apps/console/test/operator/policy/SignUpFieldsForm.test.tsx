// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, refuse } from "../../support/answers";
import type { Handlers } from "../../support/fake-server";
import { operatorWithout } from "../../support/fixtures/operators";
import { openPolicy } from "../../support/fixtures/policies";
import { acme } from "../../support/fixtures/tenants";
import { describeFormStates } from "../../support/form-states";
import { openConsole } from "../../support/open-console";
import { allByRole, byLabel, byRole, findByRole, findTexts, reasonOf } from "../../support/screen";
import { choose, click, type } from "../../support/user";

const GET = "GET /tenant/sign-up-fields/get";
const SET = "POST /tenant/sign-up-fields/set";

const open = (handlers: Handlers = {}) =>
	openConsole(`/tenants/${acme.id}/policy`, {
		"GET /tenant/policy/get": json(openPolicy),
		"GET /tenant/oauth-config/effective": json([]),
		...handlers,
	});

const department = {
	...{ name: "dept", label: "Department", type: "choice", required: true },
	choices: ["Sales", "Research"],
};
const newsletter = { name: "news", label: "Newsletter", type: "checkbox", required: false };
const stored = json({ fields: [department, newsletter] });

async function fill(): Promise<void> {
	await click("Add a field");
	await type("Label", "Café (Q1)");
	await choose("Type", "One of several choices");
	await type("Choices", " Sales \n\nResearch");
	await click(byLabel("Required"));
}

const sent = {
	...{ name: "cafe_q1", label: "Café (Q1)", required: true, type: "choice" },
	choices: ["Sales", "Research"],
};

describeFormStates("the form for the fields at sign-up", {
	open,
	request: SET,
	fill,
	submit: "Save fields",
	valid: {
		answer: json({ fields: [sent] }),
		sends: { tenantId: acme.id, fields: [sent] },
		shows: ["Fields saved."],
	},
	invalid: {
		"a choice without choices": {
			change: () => type("Choices", " "),
			shows: ["Enter at least one choice."],
		},
		"two equal choices": {
			change: () => type("Choices", "Sales\nSales "),
			shows: ["Two choices are the same."],
		},
		"a label of spaces": { change: () => type("Label", "  "), field: "Label" },
		"a name with a space": { change: () => type("Name", "a b"), field: "Name" },
	},
	conflict: {
		"fields of another version of the service": {
			answer: refuse(400, "VALIDATION_ERROR", "[body.fields] is not valid"),
			shows: ["[body.fields] is not valid"],
		},
	},
	keeps: { Label: "Café (Q1)", Name: "cafe_q1" },
});

const group = (name: string) => byRole("group", name);

describe("the fields at sign-up", () => {
	test("can change their order and be removed", async () => {
		const server = await open({ [GET]: stored, [SET]: json({ fields: [newsletter] }) });
		await click("Move up field 2");
		expect(byLabel("Label", group("Field 1")).value).toBe("Newsletter");
		await click("Remove field 2");
		await click("Save fields");
		await findTexts("Fields saved.");
		expect(server.sent(SET)[0]?.body).toEqual({ tenantId: acme.id, fields: [newsletter] });
	});

	test("keep the name that somebody has chosen", async () => {
		await open({ [GET]: stored });
		await findByRole("group", "Field 1");
		await type("Label", "Unit", group("Field 1"));
		expect(byLabel("Name", group("Field 1")).value).toBe("dept");
	});

	test("cannot have the same name", async () => {
		await open({ [GET]: stored });
		await findByRole("group", "Field 2");
		await type("Name", "dept", group("Field 2"));
		await findTexts("Another field has this name.");
		expect(reasonOf(byRole("button", "Save fields"))).toBe(
			"Complete and correct the fields first.",
		);
	});

	test("are eight at most", async () => {
		const fields = Array.from({ length: 8 }, (_, i) => ({ ...newsletter, name: `news${i}` }));
		await open({ [GET]: json({ fields }) });
		const add = await findByRole("button", "Add a field");
		expect(reasonOf(add)).toBe("A form has at most 8 fields.");
	});

	test("are shown to somebody who may not change them", async () => {
		await open({ [GET]: stored, "GET /operator/me": json(operatorWithout("policy:update")) });
		await findByRole("group", "Field 1");
		expect(byLabel("Label", group("Field 1")).closest("fieldset:disabled")).toBeTruthy();
		expect(allByRole("button", "Add a field")).toEqual([]);
	});
});
