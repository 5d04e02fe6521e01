// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { list, never, refuse } from "../../support/answers";
import type { Handlers } from "../../support/fake-server";
import { acme, suspendedTenant } from "../../support/fixtures/tenants";
import { openConsole } from "../../support/open-console";
import { allByRole, findByRole, findTexts } from "../../support/screen";
import { pass, until } from "../../support/time";
import { click, press, type } from "../../support/user";

const REQUEST = "GET /tenant/list";
const SEARCH = "Search tenants by name or slug";

/** What the first page of a tenant asks for. */
const TENANT: Handlers = {
	"GET /tenant/user/list": list([]),
	"GET /tenant/session/list": list([]),
	"GET /tenant/oauth-config/effective": list([]),
};

async function open(handlers: Handlers) {
	const server = await openConsole("/tenants/tenant-acme/nothing", { ...TENANT, ...handlers });
	await findTexts("Switch tenant: Acme");
	await click("Switch tenant: Acme");
	return server;
}

describe("the list that switches the tenant", () => {
	test("starts with the newest tenants, and opens the one that the operator chooses", async () => {
		const server = await open({ [REQUEST]: list([suspendedTenant, acme]) });
		await click(await findByRole("option", /Globex/));
		await until(() => location.pathname === "/console/tenants/tenant-globex");
		expect(location.pathname).toBe("/console/tenants/tenant-globex");
		expect(server.sent(REQUEST)[0]?.query).toMatchObject({ order: "newest", limit: "8" });
	});

	test.each([
		["users", "users"],
		["users/import", "users"],
		["domains", "domains"],
	])("opens the other tenant at the same page: %s", async (page, kept) => {
		await openConsole(`/tenants/tenant-acme/${page}`, {
			...TENANT,
			"GET /tenant/domain/list": list([]),
			[REQUEST]: list([suspendedTenant]),
		});
		await findTexts("Switch tenant: Acme");
		await click("Switch tenant: Acme");
		await click(await findByRole("option", /Globex/));
		await until(() => location.pathname === `/console/tenants/tenant-globex/${kept}`);
		expect(location.pathname).toBe(`/console/tenants/tenant-globex/${kept}`);
	});

	test("finds a tenant with the keyboard alone", async () => {
		await open({
			[REQUEST]: ({ query }) => list(query.search ? [suspendedTenant, acme] : [])(),
		});
		await type(SEARCH, "o");
		await pass(250);
		await findByRole("option", /Globex/);
		await press("{ArrowDown}{ArrowUp}{Enter}");
		await until(() => location.pathname === "/console/tenants/tenant-globex");
		expect(location.pathname).toBe("/console/tenants/tenant-globex");
	});

	test("does not say that nothing was found while it looks", async () => {
		await open({ [REQUEST]: never() });
		await pass(10);
		expect(document.body.textContent).not.toContain("No tenants found");
		expect(allByRole("option")).toEqual([]);
	});

	test("says that no tenant was found", async () => {
		await open({ [REQUEST]: list([]) });
		await findTexts("No tenants found");
		expect(allByRole("option")).toEqual([]);
	});

	test("says why it could not look", async () => {
		await open({ [REQUEST]: refuse(503, "STORAGE_UNAVAILABLE", "The database is not available.") });
		await findTexts("The database is not available.");
		expect(document.body.textContent).not.toContain("No tenants found");
	});
});
