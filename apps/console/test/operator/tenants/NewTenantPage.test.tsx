// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, refuse } from "../../support/answers";
import type { Handlers } from "../../support/fake-server";
import { acme } from "../../support/fixtures/tenants";
import { describeFormStates } from "../../support/form-states";
import { openConsole } from "../../support/open-console";
import { byLabel, byRole, findByRole, findTexts } from "../../support/screen";
import { pass } from "../../support/time";
import { click, type } from "../../support/user";

/** No tenant has the slug that the user types. */
const FREE: Handlers = { "GET /tenant/get": refuse(404, "TENANT_NOT_FOUND", "Tenant not found") };

const open = (handlers: Handlers = {}) => openConsole("/tenants/new", { ...FREE, ...handlers });

describeFormStates("the form for a new tenant", {
	open,
	request: "POST /tenant/create",
	fill: () => type("Name", "Acme"),
	submit: "Create tenant",
	valid: {
		answer: json(acme),
		sends: { name: "Acme", slug: "acme" },
		shows: ["Tenant created.", "tenant-acme"],
		// Its overview, which opens then.
		handlers: {
			"GET /tenant/get": json(acme),
			"GET /tenant/user/list": json([]),
			"GET /tenant/session/list": json([]),
			"GET /tenant/oauth-config/effective": json([]),
		},
	},
	invalid: {
		"an empty name": { change: () => type("Name", ""), field: "Name" },
		"a slug with a capital letter": {
			change: () => type("Slug", "Acme"),
			shows: ["A slug has no capital letters."],
		},
		"metadata that is not JSON": {
			change: () => type("Metadata", "{ nothing"),
			shows: ["Line 1, column 3"],
		},
	},
	conflict: {
		"a slug that somebody has just taken": {
			answer: refuse(409, "TENANT_ALREADY_EXISTS", "A tenant with this slug already exists"),
			shows: ["A tenant with this slug already exists"],
		},
		"metadata that it does not accept": {
			answer: refuse(400, "INVALID_METADATA", "The metadata is not valid"),
			shows: ["The metadata is not valid"],
		},
	},
	keeps: { Name: "Acme", Slug: "acme" },
});

describe("the form for a new tenant, in use", () => {
	test("suggests a slug for the name, and says that it is available", async () => {
		await open();
		await type("Name", "Café Zoë & Sons");
		expect(byLabel("Slug").value).toBe("cafe-zoe-sons");
		await pass(300);
		await findTexts("“cafe-zoe-sons” is available.");
	});

	test("says that a slug is taken while the user types", async () => {
		const server = await open({ "GET /tenant/get": json(acme) });
		await type("Name", "Acme");
		expect(server.sent("GET /tenant/get")).toEqual([]);
		await pass(300);
		await findTexts("“acme” is taken.");
		expect(byLabel("Slug").getAttribute("aria-invalid")).toBe("true");
	});

	test("asks before the user leaves a form that is not saved", async () => {
		await open({ "GET /tenant/list": json([acme]) });
		await type("Name", "Acme");
		await click(byRole("link", "Tenants", byRole("main")));
		const dialog = await findByRole("dialog", "Leave without saving?");
		expect(location.pathname).toBe("/console/tenants/new");
		await click(byRole("button", "Cancel", dialog));
		expect(byLabel("Name").value).toBe("Acme");

		await click(byRole("link", "Tenants", byRole("main")));
		await click("Leave page");
		await findByRole("heading", "Tenants");
		expect(location.pathname).toBe("/console/tenants");
	});
});
