// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, refuse } from "../../support/answers";
import type { FakeServer, Handlers } from "../../support/fake-server";
import { permissionsOf } from "../../support/fixtures/admins";
import { operatorWithout } from "../../support/fixtures/operators";
import { acme } from "../../support/fixtures/tenants";
import { describeFormStates } from "../../support/form-states";
import { openAdminPage } from "../../support/open-admin-page";
import { openConsole } from "../../support/open-console";
import { allByRole, byLabel, byRole, findByLabel, findTexts, reasonOf } from "../../support/screen";
import { pass } from "../../support/time";
import { click, type } from "../../support/user";

const REQUEST = "POST /tenant/update";

const open = async (handlers: Handlers = {}): Promise<FakeServer> => {
	const server = await openConsole(`/tenants/${acme.id}/settings`, handlers);
	await findByLabel("Name");
	return server;
};

describeFormStates("the form for the name and the slug", {
	open,
	request: REQUEST,
	fill: () => type("Name", "Acme Inc."),
	submit: "Save name and slug",
	valid: {
		answer: json({ ...acme, name: "Acme Inc." }),
		// Only what changed.
		sends: { tenantId: acme.id, name: "Acme Inc." },
		shows: ["Saved."],
	},
	invalid: {
		"an empty name": { change: () => type("Name", ""), field: "Name" },
		"a slug with a capital letter": {
			change: () => type("Slug", "Acme"),
			shows: ["A slug has no capital letters."],
		},
	},
	conflict: {
		"a slug that somebody has just taken": {
			answer: refuse(409, "TENANT_ALREADY_EXISTS", "A tenant with this slug already exists"),
			shows: ["A tenant with this slug already exists"],
		},
		"another change at the same time": {
			answer: refuse(409, "WRITE_CONFLICT", "Another call changes the same data, try again"),
			shows: ["Another call changes the same data, try again"],
		},
	},
	keeps: { Name: "Acme Inc.", Slug: "acme" },
});

describeFormStates("the form for the metadata", {
	open,
	request: REQUEST,
	fill: () => type("Metadata", '{ "plan": "pro" }'),
	submit: "Save metadata",
	valid: {
		answer: json({ ...acme, metadata: { plan: "pro" } }),
		sends: { tenantId: acme.id, metadata: { plan: "pro" } },
		shows: ["Saved."],
	},
	invalid: {
		"a text that is not JSON": {
			change: () => type("Metadata", "{ nothing"),
			shows: ["Line 1, column 3"],
		},
		"a list": {
			change: () => type("Metadata", "[]"),
			shows: ["Metadata must be a JSON object: { … }."],
		},
	},
	conflict: {
		"metadata that it does not accept": {
			answer: refuse(400, "INVALID_METADATA", "The metadata is not valid"),
			shows: ["The metadata is not valid"],
		},
	},
	keeps: { Metadata: '{ "plan": "pro" }' },
});

describe("the settings of a tenant", () => {
	test("warn that a new slug breaks links, and say that it is available", async () => {
		await open();
		await type("Slug", "acme-inc");
		await findTexts("Links to the old URLs will stop working.");
		expect(reasonOf(byRole("button", "Save name and slug"))).toBeNull();
	});

	test("say that a slug is taken while the user types", async () => {
		await open();
		await type("Slug", "globex");
		await pass(300);
		await findTexts("“globex” is taken.");
		expect(byLabel("Slug").getAttribute("aria-invalid")).toBe("true");
	});

	test("can only be read without the right to change them", async () => {
		await open({ "GET /operator/me": json(operatorWithout("tenant:update")) });
		expect(byLabel("Name").closest("fieldset")?.disabled).toBe(true);
		expect(allByRole("button", /^Save/)).toEqual([]);
	});

	test("are not there without the right to see them", async () => {
		await openConsole(`/tenants/${acme.id}/settings`, {
			"GET /operator/me": json(operatorWithout("tenant:get")),
		});
		await findTexts("You may not see this page", "tenant:get");
		expect(allByRole("button", /^Save/)).toEqual([]);
	});

	test("let an admin of the tenant change the name, but not the slug or the metadata", async () => {
		const server = await openAdminPage("/settings", {
			[REQUEST]: json({ ...acme, name: "Acme Inc." }),
			"GET /tenant/permissions": json(permissionsOf("admin")),
		});
		await type("Name", "Acme Inc.");
		expect(byLabel("Slug").readOnly).toBe(true);
		expect(allByRole("button", "Save metadata")).toEqual([]);
		await click("Save name and slug");
		await findTexts("Saved.");
		expect(server.sent(REQUEST)).toMatchObject([{ body: { name: "Acme Inc." } }]);
	});
});
