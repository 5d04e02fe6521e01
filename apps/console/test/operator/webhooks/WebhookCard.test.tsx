// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, list, refuse } from "../../support/answers";
import type { Handlers } from "../../support/fake-server";
import { operatorWithout } from "../../support/fixtures/operators";
import { crmWebhook, failedDelivery, failingWebhook } from "../../support/fixtures/webhooks";
import { describeFormStates } from "../../support/form-states";
import { openConsole } from "../../support/open-console";
import { allByRole, byRole, findByRole, findTexts, textOf } from "../../support/screen";
import { choose, chooseInMenu, click } from "../../support/user";

const LIST = "GET /tenant/webhook/list";
const TEST = "POST /tenant/webhook/test";
const UPDATE = "POST /tenant/webhook/update";
const ROTATE = "POST /tenant/webhook/rotate-secret";
const DELETE = "POST /tenant/webhook/delete";
const ENDED = refuse(401, "TENANT_MANAGEMENT_NOT_ALLOWED", "You are not allowed to do this");
const MENU = "Actions for https://crm.example/events";

const open = (handlers: Handlers = {}) =>
	openConsole("/tenants/tenant-acme/webhooks", {
		[LIST]: json([crmWebhook]),
		"GET /tenant/webhook/delivery/list": list([]),
		...handlers,
	});

describe("a webhook", () => {
	test("says why it is disabled", async () => {
		await open({ [LIST]: json([failingWebhook]) });
		await findTexts("because it kept failing.", "20 since the last success");
		const card = byRole("region", /^billing\.example/);
		expect(textOf(card)).toContain("Disabled");
	});

	test.each([
		[
			"the receiver accepts it",
			{ ...failedDelivery, state: "delivered", responseStatus: 204 },
			"The receiver responded with 204.",
		],
		[
			"the receiver rejects it",
			failedDelivery,
			"The test failed: the receiver responded with 500.",
		],
		[
			"nobody answers",
			{ ...failedDelivery, responseStatus: null, error: "timeout" },
			"The test failed: timeout.",
		],
	])("is tested, and its card says if %s", async (_, delivery, message) => {
		const server = await open({ [TEST]: json(delivery) });
		await click("Test");
		await findTexts(message);
		expect(server.sent(TEST)).toMatchObject([{ body: { webhookId: "webhook-crm" } }]);
	});

	test("says why it could not be tested", async () => {
		await open({ [TEST]: ENDED });
		await click("Test");
		await findTexts("Your session has ended. Sign in again, and repeat this.");
		expect(byRole("region", /^CRM/)).toBeTruthy();
	});

	test("is disabled", async () => {
		const disabled = { ...crmWebhook, enabled: false };
		const server = await open({ [UPDATE]: json(disabled) });
		await findByRole("region", /^CRM/);
		server.answer({ [LIST]: json([disabled]) });
		await chooseInMenu(MENU, "Disable");
		await findTexts("Webhook disabled.");
		expect(server.sent(UPDATE).map(({ body }) => body)).toEqual([
			{ tenantId: "tenant-acme", webhookId: "webhook-crm", enabled: false },
		]);
	});

	test("is deleted after the user confirms", async () => {
		const server = await open({ [DELETE]: json({ success: true }) });
		await chooseInMenu(MENU, "Delete");
		await findTexts("https://crm.example/events gets no more events");
		expect(server.sent(DELETE)).toEqual([]);
		server.answer({ [LIST]: json([]) });
		await click("Delete webhook");
		await findTexts("Webhook deleted.", "No webhooks yet");
		expect(server.sent(DELETE)).toMatchObject([{ body: { webhookId: "webhook-crm" } }]);
	});

	test("stays if the service does not delete it, and the dialog says why", async () => {
		await open({ [DELETE]: ENDED });
		await chooseInMenu(MENU, "Delete");
		await click("Delete webhook");
		await findTexts("Your session has ended. Sign in again, and repeat this.");
		expect(textOf(byRole("dialog", "Delete this webhook?"))).toContain("Your session has ended");
	});

	test("has no buttons for what the operator may not do", async () => {
		await open({
			"GET /operator/me": json(
				operatorWithout(
					"webhook:test",
					"webhook:update",
					"webhook:rotate-secret",
					"webhook:delete",
				),
			),
		});
		await findByRole("region", /^CRM/);
		expect(allByRole("button", "Test")).toEqual([]);
		expect(allByRole("button", MENU)).toEqual([]);
	});
});

const OVERLAP = "The old secret signs too for";
const ROTATED = json({ ...crmWebhook, secret: "whsec_new" });

describeFormStates("the form for a new secret of a webhook", {
	open: async (handlers) => {
		const server = await open(handlers);
		await chooseInMenu(MENU, "Rotate secret");
		return server;
	},
	request: ROTATE,
	fill: () => choose(OVERLAP, "7 days"),
	submit: "Rotate secret",
	valid: {
		answer: ROTATED,
		sends: { tenantId: "tenant-acme", webhookId: "webhook-crm", overlapHours: 168 },
		shows: ["This secret is shown only once. Copy it now.", "whsec_new"],
	},
	invalid: null,
	conflict: {
		"a webhook that is gone": {
			answer: refuse(404, "WEBHOOK_NOT_FOUND", "Webhook not found"),
			shows: ["Webhook not found"],
		},
	},
	keeps: { [OVERLAP]: "168" },
});

describe("the secret of a webhook", () => {
	test("is not shown again", async () => {
		await open({ [ROTATE]: ROTATED });
		await chooseInMenu(MENU, "Rotate secret");
		await click("Rotate secret");
		await findTexts("whsec_new");
		await click("Done");
		expect(textOf(document.body)).not.toContain("whsec_new");
	});
});
