// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, offline, refuse } from "../../support/answers";
import { watchDownloads } from "../../support/downloads";
import type { Handlers } from "../../support/fake-server";
import { permissionsOf } from "../../support/fixtures/admins";
import { operatorWithout, operatorWithRole } from "../../support/fixtures/operators";
import { acme, suspendedTenant } from "../../support/fixtures/tenants";
import { describeFormStates } from "../../support/form-states";
import { openAdminPage } from "../../support/open-admin-page";
import { openConsole } from "../../support/open-console";
import { allByRole, allByText, byRole, findByLabel, findTexts, textOf } from "../../support/screen";
import { click, type } from "../../support/user";

const REQUEST = "POST /service/tenant-file/export";
const TITLE = "Export Acme";
const PASSWORD = "the password of the file";

const file = () => new Response("age-encryption.org/v1", { status: 200 });

const open = async (handlers: Handlers = {}) => {
	const server = await openConsole(`/tenants/${acme.id}/settings`, handlers);
	await click("Export");
	await findByLabel("Password of the file");
	return server;
};

const fill = async () => {
	await type("Password of the file", PASSWORD);
	await type("The same again", PASSWORD);
	await type("Your password", "correct horse");
};

describeFormStates("the export of a tenant", {
	open: async (handlers) => {
		watchDownloads();
		return open(handlers);
	},
	request: REQUEST,
	fill,
	submit: "Export tenant",
	dialog: TITLE,
	valid: {
		answer: file,
		sends: { tenantId: acme.id, password: PASSWORD, currentPassword: "correct horse" },
		shows: ["Acme was exported to acme.age", "age --decrypt acme.age"],
	},
	invalid: {
		"a short password": {
			change: async () => {
				await type("Password of the file", "short");
				await type("The same again", "short");
			},
			shows: ["At least 12 characters."],
		},
		"a password with a typing error": {
			change: () => type("The same again", "the password of the fil"),
			shows: ["The passwords are not the same."],
		},
	},
	conflict: {
		"a wrong password of the operator": {
			answer: refuse(400, "INVALID_PASSWORD", "The password is wrong"),
			shows: ["The password is wrong"],
		},
		"too many exports": {
			answer: refuse(
				429,
				"TOO_MANY_REQUESTS",
				"You or others are exporting or importing a tenant.",
			),
			shows: ["You or others are exporting or importing a tenant."],
		},
	},
	keeps: { "Password of the file": PASSWORD, "The same again": PASSWORD },
});

describe("the export of a tenant", () => {
	test("saves the file under the slug of the tenant", async () => {
		const saved = watchDownloads();
		const server = await open({ [REQUEST]: file });
		await fill();
		await click("Export tenant");
		await findTexts("Acme was exported");
		expect(saved.map(({ name }) => name)).toEqual(["acme.age"]);
		expect(await saved[0]?.content.text()).toBe("age-encryption.org/v1");
		expect(server.sent(REQUEST)[0]?.headers.get("x-console")).toBe("yes");
	});

	test("saves nothing if the file is cut off", async () => {
		const saved = watchDownloads();
		const cut = () =>
			new Response(
				new ReadableStream({
					start: (controller) => controller.error(new TypeError("network error")),
				}),
			);
		const server = await open({ [REQUEST]: cut });
		await fill();
		await click("Export tenant");
		await findTexts("Could not reach the server.");
		server.answer({ [REQUEST]: offline() });
		await type("Your password", "correct horse");
		await click("Export tenant");
		await findTexts("Could not reach the server.");
		expect(saved).toEqual([]);
	});

	test("says that a tenant that is not suspended may change meanwhile", async () => {
		await open();
		expect(textOf(byRole("dialog", TITLE))).toContain("acme is not suspended");
	});

	test("does not say it of a suspended tenant", async () => {
		await openConsole(`/tenants/${suspendedTenant.id}/settings`, {
			"GET /tenant/get": json(suspendedTenant),
		});
		await click("Export");
		expect(textOf(byRole("dialog", "Export Globex"))).not.toContain("is not suspended");
	});

	test("asks no password of somebody who uses a key", async () => {
		watchDownloads();
		const owner = operatorWithRole("owner");
		const key = { ...owner, kind: "key", email: null, role: null };
		const server = await open({ "GET /operator/me": json(key), [REQUEST]: file });
		expect(allByText("Your password")).toEqual([]);
		await type("Password of the file", PASSWORD);
		await type("The same again", PASSWORD);
		await click("Export tenant");
		await findTexts("Acme was exported");
		expect(server.sent(REQUEST)).toHaveLength(1);
	});

	test("is not there without the right, and not for an owner of the tenant", async () => {
		await openConsole(`/tenants/${acme.id}/settings`, {
			"GET /operator/me": json(operatorWithout("tenant:export")),
		});
		await findByLabel("Name");
		expect(allByRole("button", "Export")).toEqual([]);
	});

	test("is not for an owner of the tenant", async () => {
		await openAdminPage("/settings", { "GET /tenant/permissions": json(permissionsOf("owner")) });
		await findByLabel("Name");
		expect(allByRole("button", "Export")).toEqual([]);
	});
});
