// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, list, refuse } from "../../support/answers";
import type { Handlers } from "../../support/fake-server";
import { tenantDeleted, userDisabled } from "../../support/fixtures/audit-events";
import { operatorWithout } from "../../support/fixtures/operators";
import { serviceInfo } from "../../support/fixtures/service";
import { openConsole } from "../../support/open-console";
import { describePageStates } from "../../support/page-states";
import { allByRole, byRole, findByRole, findTexts, textOf } from "../../support/screen";
import { pass, until } from "../../support/time";
import { choose, click } from "../../support/user";

const OVERVIEW = "GET /service/overview";
const AUDIT = "GET /service/audit";
const ACTIVITY = "GET /service/tenant-activity";

/** 90 days with one sign-in each, and more today. */
const days = Array.from({ length: 90 }, (_, index) => ({
	day: new Date(Date.UTC(2026, 7, 20 + index)).toISOString().slice(0, 10),
	...(index === 89
		? { signIns: 41, failures: 7, signUps: 3 }
		: { signIns: 1, failures: 0, signUps: 0 }),
}));

const overview = { tenants: 12, users: 3456, days };
const nothing = {
	...{ tenants: 0, users: 0 },
	days: days.map(({ day }) => ({ day, signIns: 0, failures: 0, signUps: 0 })),
};

const open = (handlers: Handlers = {}) =>
	openConsole("/", { [OVERVIEW]: json(overview), [AUDIT]: list([userDisabled]), ...handlers });

describePageStates("the overview", {
	open,
	request: OVERVIEW,
	filled: {
		answer: json(overview),
		shows: ["Users3,456", "Sign-ins today41", "Failed sign-ins today7", "70 in 30 days"],
	},
	empty: {
		answer: json(nothing),
		shows: ["Tenants0", "0 in 30 days", "None in the 30 days before"],
	},
});

describePageStates("the recent events of the overview", {
	open,
	request: AUDIT,
	filled: {
		answer: list([userDisabled, tenantDeleted]),
		shows: [
			"User disabled: bob@acme.example",
			"Reason: left the company",
			"Acme · olga@service.example",
			"Tenant deleted",
			"initech · Deployment",
		],
	},
	empty: { answer: list([]), shows: ["No events yet"] },
	forbidden: {
		handlers: { "GET /operator/me": json(operatorWithout("audit:list")) },
		shows: ["Sign-ins today41"],
	},
});

describe("the overview, in use", () => {
	test("shows another period, which the URL keeps", async () => {
		await open();
		await findTexts("70 in 30 days", "+133% from 30 in the 30 days before");
		await choose("Period", "7 days");
		await findTexts("47 in 7 days");
		expect(location.search).toBe("?days=7");
	});

	test("leads from a day to the tenants of that day, and back", async () => {
		const server = await open();
		await findTexts("70 in 30 days");
		await click(byRole("link", "7", byRole("figure", "Failed sign-ins")));
		await findTexts("Tenants on Nov 17");
		expect(location.search).toBe("?days=30&day=2026-11-17");
		expect(document.activeElement?.textContent).toBe("Tenants on Nov 17");
		expect(server.sent(ACTIVITY).at(-1)?.query).toEqual({ day: "2026-11-17" });
		await click(byRole("link", "Show all days"));
		await findTexts("Tenants in the last 30 days");
	});

	test("has no link to days of which tenants have no figures", async () => {
		const server = await open();
		await findTexts("70 in 30 days");
		await choose("Period", "90 days");
		await findTexts("130 in 90 days", "Tenants in the last 30 days");
		expect(server.sent(ACTIVITY).map(({ query }) => query)).toEqual([{ days: "30" }]);
		const chart = byRole("figure", "Sign-ins");
		const linked = allByRole("link", "1", chart).map((link) => link.getAttribute("href"));
		expect(linked).toHaveLength(29);
		expect(linked[0]).toContain("day=2026-10-19");
	});

	test("shows the figures if the recent events could not be loaded", async () => {
		const server = await open({ [AUDIT]: refuse(500, "", "") });
		const alert = await findByRole("alert");
		expect(textOf(alert)).toContain("Something went wrong on the server.");
		await findTexts("Sign-ins today41");
		server.answer({ [AUDIT]: list([userDisabled]) });
		await click("Try again");
		await findTexts("User disabled: bob@acme.example");
		expect(allByRole("alert")).toEqual([]);
	});

	test("keeps the recent events if they could not be loaded again", async () => {
		const server = await open();
		await findTexts("User disabled: bob@acme.example");
		server.answer({ [AUDIT]: refuse(403, "TENANT_MANAGEMENT_NOT_ALLOWED", "Not allowed") });
		await pass(10_000);
		// The user comes back to the tab.
		window.dispatchEvent(new Event("visibilitychange"));
		await until(() => server.sent(AUDIT).length > 1);
		await pass(10);
		expect(server.sent(AUDIT)).toHaveLength(2);
		await findTexts("User disabled: bob@acme.example");
		expect(allByRole("alert")).toEqual([]);
	});

	test("says what to do if the service cannot send emails", async () => {
		await open({ "GET /service/info": json({ ...serviceInfo, mail: "none" }) });
		await findTexts("This service sends no email.", "SMTP_URL");
		expect(byRole("link", "View all").getAttribute("href")).toBe("/console/audit");
	});
});
