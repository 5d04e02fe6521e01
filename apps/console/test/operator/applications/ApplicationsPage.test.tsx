// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, list } from "../../support/answers";
import { dashboard, portal, shop } from "../../support/fixtures/applications";
import { operatorWithout } from "../../support/fixtures/operators";
import { openConsole } from "../../support/open-console";
import { describePageStates } from "../../support/page-states";
import { allByRole, byRole, findByRole, findTexts } from "../../support/screen";

const OF_SERVICE = "GET /operator/application/list";
const OF_TENANT = "GET /tenant/application/list";

describePageStates("the list of applications of all tenants", {
	open: (handlers) => openConsole("/applications", handlers),
	request: OF_SERVICE,
	filled: {
		answer: list([portal, dashboard]),
		shows: ["Portal", "Web app", "Dashboard", "Single-page app", "Disabled", "First party"],
	},
	empty: { answer: list([]), shows: ["No applications yet"] },
});

describePageStates("the list of applications of a tenant", {
	open: (handlers) => openConsole("/tenants/tenant-acme/applications", handlers),
	request: OF_TENANT,
	filled: { answer: list([shop, portal]), shows: ["Shop", "Portal", "All tenants"] },
	empty: { answer: list([]), shows: ["No applications yet"] },
	forbidden: {
		handlers: { "GET /operator/me": json(operatorWithout("application:list")) },
		shows: ["You may not see this page", "application:list"],
	},
});

describe("the list of applications, in use", () => {
	test("leads to each application, and to a new one", async () => {
		await openConsole("/tenants/tenant-acme/applications", { [OF_TENANT]: list([shop]) });
		const link = await findByRole("link", "Shop");
		const home = "/console/tenants/tenant-acme/applications";
		expect(link.getAttribute("href")).toBe(`${home}/client-shop`);
		expect(byRole("link", "New application").getAttribute("href")).toBe(`${home}/new`);
	});

	test("offers no new application to an operator who may not create one", async () => {
		await openConsole("/applications", {
			[OF_SERVICE]: list([]),
			"GET /operator/me": json(operatorWithout("application:create")),
		});
		await findTexts("No applications yet");
		expect(allByRole("link", "New application")).toEqual([]);
	});
});
