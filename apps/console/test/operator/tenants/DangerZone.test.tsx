// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, list, refuse } from "../../support/answers";
import type { Handlers } from "../../support/fake-server";
import { operatorWithout } from "../../support/fixtures/operators";
import { acme } from "../../support/fixtures/tenants";
import { openConsole } from "../../support/open-console";
import {
	allByRole,
	byLabel,
	byRole,
	findByRole,
	findTexts,
	reasonOf,
	textOf,
} from "../../support/screen";
import { click, type } from "../../support/user";

const TENANT = "GET /tenant/get";
const SUSPEND = "POST /tenant/suspend";
const RESUME = "POST /tenant/resume";
const DELETE = "POST /tenant/delete";
const FIELD = "Type the slug “acme” to confirm";

const suspended = { ...acme, suspendedAt: "2026-11-10T09:00:00.000Z" };

const open = (handlers: Handlers) => openConsole(`/tenants/${acme.id}/settings`, handlers);

describe("the actions on a tenant", () => {
	test("suspend it only after its slug was typed", async () => {
		const server = await open({ [SUSPEND]: json(suspended) });
		await click("Suspend");
		await findByRole("dialog", "Suspend Acme?");
		await type(FIELD, "acm");
		expect(reasonOf(byRole("button", "Suspend tenant"))).toBe("Type it first.");
		await type(FIELD, "acme");
		server.answer({ [TENANT]: json(suspended) });
		await click("Suspend tenant");
		await findTexts("Acme was suspended.", "Suspended since");
		expect(server.sent(SUSPEND).map(({ body }) => body)).toEqual([{ tenantId: acme.id }]);
	});

	test("ask for the slug again after they suspended and resumed it", async () => {
		const server = await open({ [SUSPEND]: json(suspended), [RESUME]: json(acme) });
		await click("Suspend");
		await type(FIELD, "acme");
		server.answer({ [TENANT]: json(suspended) });
		await click("Suspend tenant");
		await findByRole("button", "Resume");
		server.answer({ [TENANT]: json(acme) });
		await click("Resume");
		await click("Suspend");
		await findByRole("dialog", "Suspend Acme?");
		expect(byLabel(FIELD).value).toBe("");
	});

	test("say in the dialog why it was not suspended, and keep the input", async () => {
		await open({ [SUSPEND]: refuse(403, "TENANT_MANAGEMENT_NOT_ALLOWED", "Not allowed") });
		await click("Suspend");
		await type(FIELD, "acme");
		await click("Suspend tenant");
		const dialog = byRole("dialog", "Suspend Acme?");
		expect(textOf(await findByRole("alert", undefined, dialog))).toBe("Not allowed");
		expect(byLabel(FIELD).value).toBe("acme");
	});

	test("resume a suspended tenant at once", async () => {
		const server = await open({ [TENANT]: json(suspended), [RESUME]: json(acme) });
		await findByRole("button", "Resume");
		server.answer({ [TENANT]: json(acme) });
		await click("Resume");
		await findTexts("Acme was resumed.");
		expect(await findByRole("button", "Suspend")).toBeTruthy();
		expect(server.sent(RESUME).map(({ body }) => body)).toEqual([{ tenantId: acme.id }]);
	});

	test("say why it was not resumed", async () => {
		await open({
			[TENANT]: json(suspended),
			[RESUME]: refuse(409, "WRITE_CONFLICT", "Another call changes the same data, try again"),
		});
		await click("Resume");
		await findTexts("Another call changes the same data, try again");
		expect(byRole("button", "Resume")).toBeTruthy();
	});

	test("delete it after its slug was typed, and lead to the list of tenants", async () => {
		const server = await open({ [DELETE]: json({ success: true }), "GET /tenant/list": list([]) });
		await click("Delete");
		await findTexts("This permanently deletes all users");
		expect(server.sent(DELETE)).toEqual([]);
		await type(FIELD, "acme");
		await click("Delete tenant");
		await findTexts("Acme was deleted.", "No tenants yet");
		expect(server.sent(DELETE).map(({ body }) => body)).toEqual([{ tenantId: acme.id }]);
	});

	test("are missing without the rights", async () => {
		await open({
			"GET /operator/me": json(operatorWithout("tenant:suspend", "tenant:delete")),
		});
		await findTexts("Name and slug");
		expect(allByRole("heading", "Suspend or delete")).toEqual([]);
	});
});
