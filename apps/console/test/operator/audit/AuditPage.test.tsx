// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, list } from "../../support/answers";
import { tenantDeleted, userDisabled } from "../../support/fixtures/audit-events";
import { operatorWithout } from "../../support/fixtures/operators";
import { openConsole } from "../../support/open-console";
import { describePageStates } from "../../support/page-states";
import { allByRole, byRole, findByRole, findTexts } from "../../support/screen";
import { choose, click } from "../../support/user";

const REQUEST = "GET /service/audit";
const BOTH = list([userDisabled, tenantDeleted]);

describePageStates("the audit log of all tenants", {
	open: (handlers) => openConsole("/audit", handlers),
	request: REQUEST,
	filled: {
		answer: BOTH,
		shows: [
			...["Reason: left the company", "bob@acme.example", "Operator · 203.0.113.7"],
			...["Deployment", "initech", "1–2 of 2 events"],
		],
	},
	empty: { answer: list([]), shows: ["No events yet"] },
});

describe("the audit log of all tenants, in use", () => {
	test("asks the service for one kind of event, and shows all of them again", async () => {
		const server = await openConsole("/audit", {
			[REQUEST]: ({ query }) => (query.action ? list([]) : BOTH)(),
		});
		await findTexts("1–2 of 2 events");
		await choose("Event", "Key created");
		await findTexts("No events match these filters");
		expect(server.sent(REQUEST).at(-1)?.query).toMatchObject({ action: "app:create-key" });
		expect(location.search).toBe("?action=app%3Acreate-key");
		await click("Clear filters");
		await findTexts("1–2 of 2 events");
		expect(location.search).toBe("");
	});

	test("shows the events of one tenant, by its name", async () => {
		const server = await openConsole("/audit?tenant=tenant-acme", { [REQUEST]: BOTH });
		expect(await findByRole("button", "Tenant: Acme")).toBeTruthy();
		await findTexts("1–2 of 2 events");
		expect(server.sent(REQUEST)[0]?.query).toMatchObject({ tenantId: "tenant-acme" });
	});

	test("leads to the user and to the tenant, but not to a tenant that was deleted", async () => {
		await openConsole("/audit", { [REQUEST]: BOTH });
		const table = await findByRole("table");
		await findTexts("1–2 of 2 events");
		expect(allByRole("link", undefined, table).map((link) => link.getAttribute("href"))).toEqual([
			"/console/tenants/tenant-acme",
			"/console/tenants/tenant-acme/users/user-bob",
		]);
	});

	test("does not offer users to an operator who may not see them", async () => {
		await openConsole("/audit", {
			[REQUEST]: list([userDisabled]),
			"GET /operator/me": json(operatorWithout("user:list", "user:get")),
		});
		await findTexts("bob@acme.example");
		expect(allByRole("link", /bob/)).toEqual([]);
		expect(allByRole("button", /^(User|Actor):/)).toEqual([]);
		expect(byRole("button", "Tenant: Any")).toBeTruthy();
	});
});
