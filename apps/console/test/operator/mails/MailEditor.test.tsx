// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, refuse } from "../../support/answers";
import type { FakeServer, Handlers } from "../../support/fake-server";
import { builtInMail, mailPreview, ownMail } from "../../support/fixtures/mail-templates";
import { operatorWithout } from "../../support/fixtures/operators";
import { acme } from "../../support/fixtures/tenants";
import { describeFormStates } from "../../support/form-states";
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
import { pass } from "../../support/time";
import { click, type } from "../../support/user";

const LIST = "GET /tenant/mail-template/list";
const PREVIEW = "POST /tenant/mail-template/preview";
const SET = "POST /tenant/mail-template/set";
const RESET = "POST /tenant/mail-template/reset";
const TEST = "POST /tenant/mail-template/send-test";

const { subject, text, button } = builtInMail;
const NAME = { tenantId: acme.id, kind: "verification", language: "en" };

async function open(handlers: Handlers = {}): Promise<FakeServer> {
	const server = await openConsole(`/tenants/${acme.id}/emails`, {
		[LIST]: json([builtInMail]),
		[PREVIEW]: json(mailPreview),
		...handlers,
	});
	await findTexts("Preview for Ada");
	return server;
}

describeFormStates("the form for an email", {
	open,
	request: SET,
	fill: () => type("Subject", "Is this you?"),
	submit: "Save text",
	valid: {
		answer: json(ownMail),
		sends: { ...NAME, subject: "Is this you?", text, button },
		shows: ["Saved."],
	},
	invalid: {
		"an empty subject": { change: () => type("Subject", ""), field: "Subject" },
		"an empty text": { change: () => type("Text", ""), field: "Text" },
		"an empty button": { change: () => type("Button", ""), field: "Button" },
	},
	conflict: {
		"a text without the link": {
			answer: refuse(400, "INVALID_TEMPLATE", "The text needs {{link}}"),
			shows: ["The text needs {{link}}"],
		},
	},
	keeps: { Subject: "Is this you?", Text: text, Button: button },
});

describe("the form for an email, in use", () => {
	test("shows a preview after a pause, without links", async () => {
		const server = await open();
		server.answer({ [PREVIEW]: json({ ...mailPreview, subject: "Dear Ada" }) });
		await type("Subject", "Dear {{name}}");
		expect(server.sent(PREVIEW)).toHaveLength(1);
		await pass(400);
		await findTexts("Dear Ada");
		expect(server.sent(PREVIEW).at(-1)?.body).toEqual({
			...NAME,
			subject: "Dear {{name}}",
			text,
			button,
		});
		const shown = document.querySelector(".mail-view div")?.shadowRoot;
		expect(shown?.textContent).toContain("Hello Ada");
		expect(shown?.querySelector("a")?.hasAttribute("href")).toBe(false);
	});

	test("says what is wrong with a text, and does not save it", async () => {
		const server = await open();
		server.answer({ [PREVIEW]: refuse(400, "INVALID_TEMPLATE", "The text needs {{link}}") });
		await type("Text", "Hello");
		await pass(400);
		await findTexts("The text needs {{link}}");
		expect(reasonOf(byRole("button", "Save text"))).toBe("Complete and correct the fields first.");
		expect(reasonOf(byRole("button", "Send to myself"))).toBe(
			"Complete and correct the fields first.",
		);
	});

	test("goes back to the stored text", async () => {
		await open();
		await type("Subject", "Is this you?");
		await click("Discard changes");
		expect(byLabel("Subject").value).toBe(subject);
		expect(reasonOf(byRole("button", "Save text"))).toBe("Nothing has changed.");
	});

	test("asks before it resets the tenant's own text", async () => {
		const server = await open({ [LIST]: json([ownMail]), [RESET]: json(builtInMail) });
		await findTexts("The tenant's own text, changed");
		await click("Reset");
		const dialog = await findByRole("dialog", "Reset this text?");
		expect(server.sent(RESET)).toEqual([]);
		server.answer({ [LIST]: json([builtInMail]) });
		await click(byRole("button", "Reset", dialog));
		await findTexts("The text is reset.", "This is the built-in text.");
		expect(server.sent(RESET).map(({ body }) => body)).toEqual([NAME]);
		expect(byLabel("Subject").value).toBe(subject);
	});

	test("sends a test with the text that is not saved yet", async () => {
		const server = await open({ [TEST]: json({ to: "olga@service.example", sent: true }) });
		await type("Subject", "Is this you?");
		await click("Send to myself");
		await findTexts("The mail server has accepted the email to olga@service.example.");
		expect(server.sent(TEST)).toMatchObject([{ body: { subject: "Is this you?" } }]);
		expect(server.sent(SET)).toEqual([]);
	});

	test("says that a test is in the outbox if there is no mail server", async () => {
		await open({ [TEST]: json({ to: "olga@service.example", sent: false }) });
		await click("Send to myself");
		await findTexts("The email to olga@service.example is in the outbox.");
		expect(allByRole("alert")).toEqual([]);
	});

	test("says why a test was not sent", async () => {
		await open({ [TEST]: refuse(502, "MAIL_NOT_SENT", "The mail server is down") });
		await click("Send to myself");
		expect(textOf(await findByRole("alert"))).toBe(
			"The email was not sent. The mail server is down.",
		);
	});

	test("offers nothing that the operator may not do", async () => {
		await open({
			[LIST]: json([ownMail]),
			"GET /operator/me": json(operatorWithout("mail-template:set", "mail-template:reset")),
		});
		await type("Subject", "Is this you?");
		expect(reasonOf(byRole("button", "Save text"))).toBe("You may not change emails.");
		expect(allByRole("button", /^(Reset|Send to myself)$/)).toEqual([]);
	});

	test("says whose text readers get if there is none in their language", async () => {
		await open({ [LIST]: json([{ ...ownMail, writtenIn: "de" }]) });
		await findTexts("There is none in this language, so readers get the one in German.");
		expect(allByRole("button", "Reset")).toEqual([]);
	});
});
