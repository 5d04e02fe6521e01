// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, refuse } from "../../support/answers";
import type { Handlers } from "../../support/fake-server";
import { serviceInfo } from "../../support/fixtures/service";
import { serviceJobs } from "../../support/fixtures/service-state";
import { describeFormStates } from "../../support/form-states";
import { openConsole } from "../../support/open-console";
import { byRole, findByLabel, findTexts, textOf } from "../../support/screen";
import { click, type } from "../../support/user";

const SEND = "POST /service/mail-test";
const TITLE = "Send a test email";

async function open(handlers: Handlers = {}) {
	const server = await openConsole("/service", {
		"GET /service/jobs": json(serviceJobs),
		...handlers,
	});
	await click(TITLE);
	return server;
}

describeFormStates("the form for a test email", {
	open,
	request: SEND,
	fill: () => type("Email", "ops@service.example"),
	submit: "Send",
	valid: {
		answer: json({ sent: true }),
		sends: { to: "ops@service.example" },
		shows: ["The mail server has accepted the email."],
	},
	invalid: { "an email without a domain": { change: () => type("Email", "ops"), field: "Email" } },
	conflict: {
		"an email that the mail server rejects": {
			answer: refuse(502, "MAIL_NOT_SENT", "550 relaying denied"),
			shows: ["The email was not sent. The mail server says: 550 relaying denied"],
		},
	},
	keeps: { Email: "ops@service.example" },
	expired: {
		answer: refuse(401, "TENANT_MANAGEMENT_NOT_ALLOWED", "You are not allowed to do this"),
		shows: ["The email was not sent. Your session has ended. Sign in again, and repeat this."],
	},
});

describe("the form for a test email, in use", () => {
	test("suggests the email of the operator", async () => {
		await open();
		expect((await findByLabel("Email")).value).toBe("olga@service.example");
	});

	test("says that the email is only in the outbox", async () => {
		await open({
			"GET /service/info": json({ ...serviceInfo, mail: "outbox", outbox: true }),
			[SEND]: json({ sent: false }),
		});
		await click("Send");
		await findTexts("The email is in the outbox. This service has no mail server.");
	});

	test("forgets the result as soon as another address is typed", async () => {
		await open({ [SEND]: json({ sent: true }) });
		await click("Send");
		await findTexts("The mail server has accepted the email.");
		await type("Email", "other@service.example");
		expect(textOf(byRole("dialog", TITLE))).not.toContain("accepted");
	});
});
