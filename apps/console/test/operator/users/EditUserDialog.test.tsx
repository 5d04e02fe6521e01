// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, refuse } from "../../support/answers";
import type { FakeServer, Handlers } from "../../support/fake-server";
import { permissionsOf } from "../../support/fixtures/admins";
import { ada, detailsOf } from "../../support/fixtures/tenant-users";
import { acme } from "../../support/fixtures/tenants";
import { describeFormStates } from "../../support/form-states";
import { openAdminPage } from "../../support/open-admin-page";
import { openConsole } from "../../support/open-console";
import { allByRole, byLabel, byRole, findByRole, findTexts } from "../../support/screen";
import { choose, click, type } from "../../support/user";

const REQUEST = "POST /tenant/user/update";
const HANDLERS: Handlers = { "GET /tenant/user/get": json(detailsOf(ada)), [REQUEST]: json(ada) };

async function open(handlers: Handlers = {}): Promise<FakeServer> {
	const path = `/tenants/${acme.id}/users/${ada.id}`;
	const server = await openConsole(path, { ...HANDLERS, ...handlers });
	await click("Edit");
	await findByRole("dialog", "Edit the user");
	return server;
}

describeFormStates("the dialog that changes a user", {
	open,
	request: REQUEST,
	fill: () => type("Name", "Ada Lovelace"),
	submit: "Save",
	valid: {
		answer: json({ ...ada, name: "Ada Lovelace" }),
		// Only what changed.
		sends: { tenantId: acme.id, userId: ada.id, name: "Ada Lovelace" },
		shows: ["Saved."],
	},
	invalid: {
		"an email without a domain": { change: () => type("Email", "ada"), field: "Email" },
		"no email": { change: () => type("Email", ""), field: "Email" },
	},
	conflict: {
		"the change of the last owner": {
			answer: refuse(409, "LAST_OWNER", "This is the last owner of the tenant"),
			shows: ["This is the last owner of the tenant"],
		},
	},
	keeps: { Name: "Ada Lovelace", Email: "ada@acme.example" },
});

describe("the dialog that changes a user, in use", () => {
	test("takes a new email as not verified", async () => {
		const server = await open();
		const verified = byRole<HTMLInputElement>("checkbox", "The email is verified");
		expect(verified.checked).toBe(true);
		await type("Email", "ada@new.example");
		expect(verified.checked).toBe(false);
		await click("Save");
		await findTexts("Saved.");
		expect(server.sent(REQUEST)).toMatchObject([
			{ body: { email: "ada@new.example", emailVerified: false } },
		]);
	});

	test("gives the user another role", async () => {
		const server = await open();
		await choose("Role", "Owner");
		await click("Save");
		await findTexts("Saved.");
		expect(server.sent(REQUEST).map(({ body }) => body)).toEqual([
			{ tenantId: acme.id, userId: ada.id, role: "owner" },
		]);
	});

	test("offers an admin of the tenant no role above the own one", async () => {
		await openAdminPage(`/users/${ada.id}`, {
			...HANDLERS,
			"GET /tenant/permissions": json(permissionsOf("admin")),
		});
		await click("Edit");
		await findByRole("dialog", "Edit the user");
		const options = [...byLabel<HTMLSelectElement>("Role").options].map(({ text }) => text);
		expect(options).toContain("Member");
		expect(options).not.toContain("Owner");
		expect(allByRole("checkbox", "The email is verified")).toEqual([]);
	});
});
