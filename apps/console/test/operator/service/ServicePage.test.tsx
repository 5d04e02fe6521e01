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

describe("the server", () => {
	test("has a URL, a database and a version", async () => {
		await open();
		await findTexts("URL http://localhost:3000", "Database SQLite", "Redis Not in use");
		await findTexts("Version 0.2.0", "Node 20.19.0");
		expect(allByRole("term").map(({ textContent }) => textContent)).not.toContain(
			"Domain of tenants",
		);
	});

	test("has a domain for the hosts of tenants, and Redis", async () => {
		await open({
			[INFO]: json({
				...serviceInfo,
				...{ tenantDomain: "auth.example.com", database: "postgres", redis: true },
			}),
		});
		await findTexts("Domain of tenants auth.example.com", "Database PostgreSQL", "Redis In use");
	});
});

describe("the region of the service", () => {
	test("is named, with the consoles of the others", async () => {
		const others = [{ name: "us", url: "https://us.example.com" }];
		await open({ [INFO]: json({ ...serviceInfo, region: { name: "eu", others } }) });
		await findTexts("eu This region", "us https://us.example.com");
		const link = byRole("link", "https://us.example.com");
		expect(link.getAttribute("href")).toBe("https://us.example.com/console");
	});

	test("is not shown without regions", async () => {
		await open();
		await findTexts("Emails Sent by the mail server");
		expect(allByRole("heading", "Region")).toEqual([]);
	});
});
