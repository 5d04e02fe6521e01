// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import type { TenantActivity } from "../../../src/operator/api/service";
import { json } from "../../support/answers";
import type { Handlers } from "../../support/fake-server";
import { operatorWithout } from "../../support/fixtures/operators";
import { noActivity } from "../../support/fixtures/service-state";
import { acme, suspendedTenant } from "../../support/fixtures/tenants";
import { openConsole } from "../../support/open-console";
import { describePageStates } from "../../support/page-states";
import { allByRole, byRole, findByRole, findTexts } from "../../support/screen";

const REQUEST = "GET /service/tenant-activity";

const activity: TenantActivity = {
	...noActivity,
	failing: [
		{ tenant: acme, signIns: 40, failures: 1234, errors: 2 },
		{ tenant: suspendedTenant, signIns: 0, failures: 0, errors: 7 },
	],
	busiest: [{ tenant: acme, signIns: 40 }],
	slowest: [
		{ tenant: suspendedTenant, requests: 70, averageMilliseconds: 1840 },
		{ tenant: acme, requests: 900, averageMilliseconds: 62 },
	],
};

const open = (handlers: Handlers = {}) =>
	openConsole("/", {
		"GET /service/overview": json({ tenants: 0, users: 0, days: [] }),
		[REQUEST]: json(activity),
		...handlers,
	});

describePageStates("the tenants on the overview", {
	open,
	request: REQUEST,
	filled: { answer: json(activity), shows: ["1,234", "1.8 sec", "62 ms", "900"] },
	empty: {
		answer: json(noActivity),
		shows: ["No sign-in failed.", "Nobody signed in.", "No tenant had 20 requests on a day."],
	},
});

describe("the tenants on the overview, in use", () => {
	test("lead to the sign-ins that are counted", async () => {
		await open();
		await findTexts("Tenants in the last 30 days");
		const failing = await findByRole("table", "Most failures: tenants");
		const path = `/console/tenants/${acme.id}`;
		expect(byRole("link", "Acme", failing).getAttribute("href")).toBe(path);
		expect(byRole("link", "1,234", failing).getAttribute("href")).toBe(
			`${path}/sign-ins?result=failed&since=2026-10-19&until=2026-11-17`,
		);
		// Nothing to lead to.
		expect(allByRole("link", "0")).toEqual([]);
		expect(byRole("link", "40").getAttribute("href")).toContain("result=succeeded");
	});

	test("have no links to sign-ins for an operator who may not read them", async () => {
		await open({ "GET /operator/me": json(operatorWithout("sign-in:list")) });
		await findTexts("1,234");
		expect(allByRole("link", "1,234")).toEqual([]);
	});
});
