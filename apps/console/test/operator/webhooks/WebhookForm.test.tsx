// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, list, refuse } from "../../support/answers";
import type { Handlers } from "../../support/fake-server";
import { crmWebhook, failingWebhook } from "../../support/fixtures/webhooks";
import { describeFormStates } from "../../support/form-states";
import { openConsole } from "../../support/open-console";
import { allByRole, byLabel, byRole, findTexts, textOf } from "../../support/screen";
import { chooseInMenu, click, type } from "../../support/user";

const CREATE = "POST /tenant/webhook/create";
const UPDATE = "POST /tenant/webhook/update";
const CREATED = json({ ...crmWebhook, secret: "whsec_secret" });

const open = (handlers: Handlers) =>
	openConsole("/tenants/tenant-acme/webhooks", {
		"GET /tenant/webhook/list": json([]),
		"GET /tenant/webhook/delivery/list": list([]),
		...handlers,
	});

async function openNew(handlers: Handlers) {
	const server = await open(handlers);
	await click("Create webhook");
	return server;
}

async function fill(): Promise<void> {
	await type("URL", "https://crm.example/events");
	await type("Description", "CRM");
}

const chooseNoEvent = async () => {
	await click(byLabel("All events"));
	await click(byLabel("user.created"));
};

const DIALOG = "Create a webhook";
const submit = () => click(byRole("button", "Create webhook", byRole("dialog", DIALOG)));

describeFormStates("the form for a webhook", {
	open: openNew,
	request: CREATE,
	fill,
	submit: "Create webhook",
	dialog: DIALOG,
	valid: {
		answer: CREATED,
		sends: {
			tenantId: "tenant-acme",
			url: "https://crm.example/events",
			description: "CRM",
			eventTypes: ["*"],
		},
		shows: ["Webhook created.", "This secret is shown only once. Copy it now.", "whsec_secret"],
	},
	invalid: {
		"a text that is not a URL": { change: () => type("URL", "crm"), field: "URL" },
		"a webhook without events": { change: chooseNoEvent, shows: ["user.created"] },
	},
	conflict: {
		"a URL that is not public": {
			answer: refuse(400, "INVALID_WEBHOOK_URL", "The URL must be public"),
			shows: ["The URL must be public"],
		},
	},
	keeps: { URL: "https://crm.example/events", Description: "CRM" },
});

describeFormStates("the form for a webhook that exists", {
	open: async (handlers) => {
		const server = await open({ "GET /tenant/webhook/list": json([failingWebhook]), ...handlers });
		await chooseInMenu("Actions for https://billing.example/events", "Edit");
		return server;
	},
	request: UPDATE,
	fill: () => type("Description", "Billing"),
	submit: "Save",
	valid: {
		answer: json({ ...failingWebhook, description: "Billing" }),
		sends: {
			tenantId: "tenant-acme",
			webhookId: "webhook-billing",
			url: "https://billing.example/events",
			description: "Billing",
			eventTypes: ["user.created", "user.deleted"],
		},
		shows: ["Saved."],
	},
	invalid: { "an empty URL": { change: () => type("URL", ""), field: "URL" } },
	conflict: {
		"a URL that is not public": {
			answer: refuse(400, "INVALID_WEBHOOK_URL", "The URL must be public"),
			shows: ["The URL must be public"],
		},
	},
	keeps: { URL: "https://billing.example/events", Description: "Billing" },
});

describe("the form for a webhook, in use", () => {
	test("sends only the events that were chosen", async () => {
		const server = await openNew({ [CREATE]: CREATED });
		await fill();
		await click(byLabel("All events"));
		await click(byLabel("session.revoked"));
		await submit();
		await findTexts("whsec_secret");
		expect(server.sent(CREATE)).toMatchObject([
			{ body: { eventTypes: ["user.created", "session.revoked"] } },
		]);
	});

	test("does not show the secret again", async () => {
		await openNew({ [CREATE]: CREATED });
		await fill();
		await submit();
		await findTexts("whsec_secret");
		await click("Done");
		expect(textOf(document.body)).not.toContain("whsec_secret");
		expect(allByRole("dialog", DIALOG)).toEqual([]);
	});
});
