// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, list, refuse } from "../../support/answers";
import type { Handlers } from "../../support/fake-server";
import { operatorWithout } from "../../support/fixtures/operators";
import { crmWebhook, failedDelivery, failingWebhook } from "../../support/fixtures/webhooks";
import { openConsole } from "../../support/open-console";
import { describePageStates } from "../../support/page-states";
import { allByRole, byRole, findByRole, findTexts, textOf } from "../../support/screen";
import { pass } from "../../support/time";
import { choose, chooseInMenu, click } from "../../support/user";

const LIST = "GET /tenant/webhook/list";
const DELIVERIES = "GET /tenant/webhook/delivery/list";
const REPLAY = "POST /tenant/webhook/delivery/replay";

const open = (handlers: Handlers = {}) =>
	openConsole("/tenants/tenant-acme/webhooks", {
		[LIST]: json([crmWebhook, failingWebhook]),
		[DELIVERIES]: list([failedDelivery]),
		...handlers,
	});

describePageStates("the webhooks of a tenant", {
	open,
	request: LIST,
	filled: {
		answer: json([crmWebhook, failingWebhook]),
		shows: ["CRM", "https://crm.example/events", "billing.example", "user.created, user.deleted"],
	},
	empty: { answer: json([]), shows: ["No webhooks yet"] },
	forbidden: {
		handlers: { "GET /operator/me": json(operatorWithout("webhook:list")) },
		shows: ["You may not see this page", "webhook:list"],
	},
});

describePageStates("the deliveries of a tenant's webhooks", {
	open,
	request: DELIVERIES,
	filled: { answer: list([failedDelivery]), shows: ["500", "1–1 of 1 deliveries"] },
	empty: { answer: list([]), shows: ["No deliveries yet"] },
	forbidden: {
		handlers: { "GET /operator/me": json(operatorWithout("webhook:list-deliveries")) },
		shows: ["https://crm.example/events"],
	},
});

describe("the deliveries of a tenant's webhooks, in use", () => {
	const MENU = /^Actions for user\.created/;

	test("show the content that was sent", async () => {
		await open();
		await chooseInMenu(MENU, "Show content");
		const dialog = await findByRole("dialog", "user.created");
		expect(textOf(dialog)).toContain('"userId": "user-ada"');
	});

	test("are sent again, and the page shows what becomes of it", async () => {
		const pending = {
			...failedDelivery,
			...{ id: "delivery-2", state: "pending", nextAttemptAt: "2026-11-17T12:00:01.000Z" },
		} as const;
		const server = await open({ [REPLAY]: json(pending) });
		await findByRole("button", MENU);
		server.answer({ [DELIVERIES]: list([pending]) });
		await chooseInMenu(MENU, "Send again");
		await findTexts("The event will be sent again.", "Next attempt");
		expect(server.sent(REPLAY)).toMatchObject([{ body: { deliveryId: "delivery-1" } }]);
		server.answer({
			[DELIVERIES]: list([
				{ ...pending, state: "delivered", responseStatus: 204, nextAttemptAt: null },
			]),
		});
		await pass(3000);
		await findTexts("204");
		expect(textOf(byRole("table"))).not.toContain("Next attempt");
	});

	test("say why they could not be sent again", async () => {
		await open({ [REPLAY]: refuse(409, "WEBHOOK_DISABLED", "The webhook is disabled") });
		await chooseInMenu(MENU, "Send again");
		await findTexts("The webhook is disabled");
		expect(byRole("button", MENU)).toBeTruthy();
	});

	test("are found by webhook and by state", async () => {
		const server = await open({
			[DELIVERIES]: ({ query }) => list(query.state ? [] : [failedDelivery])(),
		});
		await findByRole("button", MENU);
		await choose("Webhook", "CRM");
		await choose("State", "Delivered");
		await findTexts("No deliveries match these filters");
		expect(server.sent(DELIVERIES).at(-1)?.query).toMatchObject({
			webhookId: "webhook-crm",
			state: "delivered",
		});
	});

	test("cannot be sent again by an operator who may not do it", async () => {
		await open({
			"GET /operator/me": json(operatorWithout("webhook:create", "webhook:replay-delivery")),
		});
		await click(MENU);
		expect(allByRole("menuitem").map(textOf)).toEqual(["Show content"]);
		expect(allByRole("button", "Create webhook")).toEqual([]);
	});
});
