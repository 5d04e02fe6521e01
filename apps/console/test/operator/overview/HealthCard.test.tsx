// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import type { ServiceHealth } from "../../../src/operator/api/service";
import { json } from "../../support/answers";
import type { Handlers } from "../../support/fake-server";
import { healthyService } from "../../support/fixtures/service-state";
import { openConsole } from "../../support/open-console";
import { describePageStates } from "../../support/page-states";
import { findByRole, findTexts, textOf } from "../../support/screen";

const REQUEST = "GET /service/health";

const open = (handlers: Handlers = {}) =>
	openConsole("/", {
		"GET /service/overview": json({ tenants: 0, users: 0, days: [] }),
		...handlers,
	});

describePageStates("the health of the service", {
	open,
	request: REQUEST,
	filled: {
		answer: json(healthyService),
		shows: [
			...["State Everything works", "Database Responds", "Email Sent", "Jobs None failed"],
			...["Version 0.2.0", "Running for 3 hours"],
		],
	},
});

describe("the health of a service", () => {
	const openWith = (health: Partial<ServiceHealth>) =>
		open({ [REQUEST]: json({ ...healthyService, ...health }) });

	test("names what is not there only if it is used", async () => {
		await openWith({});
		const card = await findByRole("region", "Health");
		await findTexts("Version 0.2.0");
		expect(textOf(card)).not.toMatch(/Redis|Event stream/);
	});

	test("says which store does not respond", async () => {
		await openWith({
			status: "degraded",
			checks: { database: "ok", redis: "failed" },
			uptimeSeconds: 59,
		});
		await findTexts("State Not everything works", "Redis Does not respond", "for 59 seconds");
	});

	test("says what nobody knows without the database", async () => {
		await openWith({
			status: "unavailable",
			checks: { database: "failed" },
			failedJobs: null,
		});
		await findTexts("State Not available", "Database Does not respond", "Jobs Not known");
	});

	test("names jobs and emails that failed, and a stream that is late", async () => {
		await openWith({
			checks: { database: "read-only" },
			failedEmails: 3,
			failedJobs: ["domain-check", "clean-up"],
			streamLagSeconds: 2 * 24 * 60 * 60,
		});
		await findTexts(
			...["Database Does not write", "Email 3 not sent", "Jobs 2 failed"],
			...["DNS records of domains, Clean-up", "Event stream Late", "waited for 2 days"],
		);
	});

	test("says that emails are kept, or not sent at all", async () => {
		const server = await openWith({ email: "outbox", streamLagSeconds: 4 });
		await findTexts("Email Kept in the outbox", "Event stream Sending");
		expect(server.sent(REQUEST)).toHaveLength(1);
	});
});
