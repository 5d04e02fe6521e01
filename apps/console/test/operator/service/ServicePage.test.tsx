// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json } from "../../support/answers";
import type { Handlers } from "../../support/fake-server";
import { operatorWithout } from "../../support/fixtures/operators";
import { serviceInfo } from "../../support/fixtures/service";
import { serviceJobs } from "../../support/fixtures/service-state";
import { openConsole } from "../../support/open-console";
import { describePageStates } from "../../support/page-states";
import { allByRole, byRole, findTexts } from "../../support/screen";

const JOBS = "GET /service/jobs";

const open = (handlers: Handlers = {}) =>
	openConsole("/service", { [JOBS]: json(serviceJobs), ...handlers });

describePageStates("the settings and the jobs of the service", {
	open,
	request: JOBS,
	filled: {
		answer: json(serviceJobs),
		shows: [
			...["Audit log Kept forever", "Sign-in log 90 days", "Webhook deliveries 30 days"],
			...["Every 6 hours", "audit events: 12", "Every day", "The log says why."],
			...["Every 5 seconds", "On every server"],
		],
	},
});

const INFO = "GET /service/info";

describe("the emails of the service", () => {
	test("are sent by a mail server, which the operator can test", async () => {
		await open();
		await findTexts("Emails Sent by the mail server");
		expect(byRole("button", "Send a test email")).toBeTruthy();
	});

	test("are kept in the outbox", async () => {
		await open({ [INFO]: json({ ...serviceInfo, mail: "outbox", outbox: true }) });
		await findTexts("Emails Kept in the outbox");
		expect(byRole("link", "Outbox")).toBeTruthy();
	});

	test("are not sent, so there is nothing to test", async () => {
		await open({ [INFO]: json({ ...serviceInfo, mail: "none" }) });
		await findTexts("Emails Not sent", "This service sends no email.");
		expect(allByRole("button", "Send a test email")).toEqual([]);
	});

	test("can not be tested by an operator who may not do it", async () => {
		await open({ "GET /operator/me": json(operatorWithout("service:mail-test")) });
		await findTexts("Emails Sent by the mail server");
		expect(allByRole("button", "Send a test email")).toEqual([]);
	});
});
