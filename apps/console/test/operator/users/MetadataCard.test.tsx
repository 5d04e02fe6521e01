// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, refuse } from "../../support/answers";
import type { Handlers } from "../../support/fake-server";
import { operatorWithout } from "../../support/fixtures/operators";
import { ada, detailsOf } from "../../support/fixtures/tenant-users";
import { acme } from "../../support/fixtures/tenants";
import { describeFormStates } from "../../support/form-states";
import { openConsole } from "../../support/open-console";
import { allByRole, findTexts } from "../../support/screen";
import { click, type } from "../../support/user";

const GET = "GET /tenant/user-metadata/get";
const UPDATE = "POST /tenant/user-metadata/update";

const stored = { metadata: { department: "Sales" }, preferences: { locale: "de" } };
const changed = { ...stored, metadata: { department: "Labs" } };

const open = (handlers: Handlers = {}) =>
	openConsole(`/tenants/${acme.id}/users/${ada.id}`, {
		"GET /tenant/user/get": json(detailsOf(ada)),
		[GET]: json(stored),
		...handlers,
	});

describeFormStates("the metadata of a user", {
	open: async (handlers) => {
		const server = await open(handlers);
		await click("Edit metadata");
		return server;
	},
	request: UPDATE,
	fill: () => type("Metadata", '{"department":"Labs"}'),
	submit: "Save",
	dialog: "Edit the metadata",
	valid: {
		answer: json(changed),
		sends: { tenantId: acme.id, userId: ada.id, metadata: { department: "Labs" } },
		shows: ["Metadata saved."],
	},
	invalid: {
		"a text that is not JSON": {
			change: () => type("Metadata", "department"),
			shows: ["This is not a JSON object."],
		},
		"a list": { change: () => type("Metadata", "[]"), shows: ["This is not a JSON object."] },
	},
	conflict: {
		"metadata that is too long": {
			answer: refuse(400, "VALIDATION_ERROR", "must have at most 4096 bytes as JSON"),
			shows: ["must have at most 4096 bytes as JSON"],
		},
	},
	keeps: { Metadata: '{"department":"Labs"}' },
});

describe("the card with the metadata of a user", () => {
	test("shows what the tenant and the user have stored", async () => {
		await open();
		await findTexts('{ "department": "Sales" }', '{ "locale": "de" }');
	});

	test("says why it could not load", async () => {
		await open({ [GET]: refuse(503, "", "The database is not available.") });
		await findTexts("ada@acme.example", "The database is not available.");
	});

	test("has no button for somebody who may only read", async () => {
		await open({ "GET /operator/me": json(operatorWithout("user-metadata:update")) });
		await findTexts('{ "department": "Sales" }');
		expect(allByRole("button", "Edit metadata")).toEqual([]);
	});
});
