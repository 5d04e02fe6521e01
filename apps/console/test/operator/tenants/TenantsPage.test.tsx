// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, list, refuse } from "../../support/answers";
import { operatorWithout } from "../../support/fixtures/operators";
import { acme, suspendedTenant } from "../../support/fixtures/tenants";
import { openConsole } from "../../support/open-console";
import { describePageStates } from "../../support/page-states";
import { allByRole, byLabel, byRole, findByRole, findTexts, textOf } from "../../support/screen";
import { pass } from "../../support/time";
import { choose, chooseInMenu, click, type } from "../../support/user";

const REQUEST = "GET /tenant/list";
const COUNTS = "GET /service/tenant-counts";

describePageStates("the list of tenants", {
	open: (handlers) => openConsole("/tenants", handlers),
	request: REQUEST,
	filled: {
		answer: list([acme, suspendedTenant]),
		shows: ["Acme", "Globex", "1–2 of 2 tenants"],
	},
	empty: { answer: list([]), shows: ["No tenants yet"] },
});

describe("the list of tenants, in use", () => {
	test("asks the service for the search after a pause, and shows what it finds", async () => {
		const server = await openConsole("/tenants", { [REQUEST]: list([acme, suspendedTenant]) });
		await findByRole("link", "Globex");
		server.answer({
			[REQUEST]: ({ query }) => list(query.search === "acme" ? [acme] : [suspendedTenant])(),
		});
		await type("Search by name or slug", "acme");
		expect(server.sent(REQUEST).some(({ query }) => query.search)).toBe(false);
		await pass(250);
		await findTexts("1–1 of 1 tenants");
		expect(allByRole("link", "Globex")).toEqual([]);
		expect(location.search).toBe("?q=acme");
	});

	test("says that no tenant matches, and shows all of them again", async () => {
		await openConsole("/tenants?q=nobody", {
			[REQUEST]: ({ query }) => list(query.search ? [] : [acme])(),
		});
		await findTexts("No tenants match “nobody”");
		await click("Clear search");
		expect(await findByRole("link", "Acme")).toBeTruthy();
		expect(byLabel("Search by name or slug").value).toBe("");
	});

	test("reads the next page with the cursor of the service", async () => {
		const server = await openConsole("/tenants", {
			[REQUEST]: ({ query }) =>
				query.cursor ? list([suspendedTenant], 51)() : list([acme], 51, "after-acme")(),
		});
		await findByRole("link", "Acme");
		await click("Next");
		expect(await findByRole("link", "Globex")).toBeTruthy();
		expect(server.sent(REQUEST).map(({ query }) => query.cursor)).toContain("after-acme");
	});

	test("shows the number of users and the last activity, in one call", async () => {
		const server = await openConsole("/tenants", {
			[REQUEST]: list([acme, suspendedTenant]),
			[COUNTS]: json([
				{ id: acme.id, users: 1000, hasMoreUsers: true, lastActivityAt: acme.updatedAt },
				{ id: suspendedTenant.id, users: 0, hasMoreUsers: false, lastActivityAt: null },
			]),
		});
		await findTexts("1,000+", "None");
		expect(server.sent(COUNTS).map(({ query }) => query)).toEqual([
			{ ids: `${acme.id},${suspendedTenant.id}` },
		]);
	});

	test("shows tenants that could not be counted", async () => {
		await openConsole("/tenants", {
			[REQUEST]: list([acme]),
			[COUNTS]: refuse(503, "", ""),
		});
		await findByRole("link", "Acme");
		await findTexts("–");
		expect(allByRole("alert")).toEqual([]);
	});

	test("counts nothing for an operator who may not see it", async () => {
		const server = await openConsole("/tenants", {
			[REQUEST]: list([acme]),
			"GET /operator/me": json(operatorWithout("service:overview")),
		});
		await findByRole("link", "Acme");
		expect(server.sent(COUNTS)).toEqual([]);
		expect(allByRole("columnheader", "Users")).toEqual([]);
	});

	test("shows tenants with a status, and says that none has it", async () => {
		const server = await openConsole("/tenants", {
			[REQUEST]: ({ query }) => list(query.status ? [] : [acme])(),
		});
		await findByRole("link", "Acme");
		await choose("Status", "Suspended");
		await findTexts("No tenants have this status");
		expect(server.sent(REQUEST).at(-1)?.query).toMatchObject({ status: "suspended" });
		expect(location.search).toBe("?status=suspended");
		await click("Show all tenants");
		expect(await findByRole("link", "Acme")).toBeTruthy();
	});

	test("sorts by name and slug", async () => {
		const server = await openConsole("/tenants?sort=-slug", { [REQUEST]: list([acme]) });
		await findByRole("link", "Acme");
		expect(server.sent(REQUEST)[0]?.query).toMatchObject({ sort: "-slug" });
		await click(byRole("button", "Name"));
		expect(server.sent(REQUEST).at(-1)?.query.sort).toBe("name");
	});

	test("suspends a tenant from its menu, and reads the list again", async () => {
		const server = await openConsole("/tenants", {
			[REQUEST]: list([acme]),
			"POST /tenant/suspend": json({ ...acme, suspendedAt: suspendedTenant.suspendedAt }),
		});
		await findByRole("link", "Acme");
		await chooseInMenu("Actions for Acme", "Suspend");
		const dialog = await findByRole("dialog", /Suspend/);
		server.answer({ [REQUEST]: list([{ ...acme, suspendedAt: suspendedTenant.suspendedAt }]) });
		await type("Type the slug “acme” to confirm", "acme");
		await click(byRole("button", "Suspend tenant", dialog));
		await findTexts("Suspended");
		expect(server.sent("POST /tenant/suspend")).toMatchObject([{ body: { tenantId: acme.id } }]);
	});

	test("offers nothing that the operator may not do", async () => {
		await openConsole("/tenants", {
			[REQUEST]: list([acme]),
			"GET /operator/me": json(
				operatorWithout("tenant:create", "tenant:suspend", "tenant:resume", "tenant:delete"),
			),
		});
		await findByRole("link", "Acme");
		expect(allByRole("link", "New tenant")).toEqual([]);
		expect(allByRole("checkbox")).toEqual([]);
		await click("Actions for Acme");
		expect(allByRole("menuitem").map(({ textContent }) => textContent)).toEqual([
			"Users",
			"Settings",
		]);
		expect(textOf(byRole("row", /Acme/))).toContain("Open");
	});
});
