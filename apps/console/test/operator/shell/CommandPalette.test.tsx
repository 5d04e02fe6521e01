// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, list, refuse } from "../../support/answers";
import type { Handlers } from "../../support/fake-server";
import { operatorWithout } from "../../support/fixtures/operators";
import { acme, suspendedTenant } from "../../support/fixtures/tenants";
import { openConsole } from "../../support/open-console";
import {
	allByRole,
	byRole,
	findByLabel,
	findByRole,
	findTexts,
	textOf,
} from "../../support/screen";
import { pass, until } from "../../support/time";
import { click, press, type } from "../../support/user";

const TENANTS = "GET /tenant/list";
const USERS = "GET /service/users";
const SEARCH = "Search pages, tenants and users";

const ada = {
	id: "user-ada",
	name: "Ada",
	email: "ada@acme.example",
	tenant: { id: acme.id, name: acme.name, slug: acme.slug },
};

async function open(handlers: Handlers = {}) {
	// A page with little on it, because the search is the same everywhere.
	const server = await openConsole("/nothing", {
		[TENANTS]: list([acme]),
		[USERS]: json([]),
		...handlers,
	});
	await findTexts("Switch tenant");
	await press("{Control>}k{/Control}");
	await findByLabel(SEARCH);
	return server;
}

const optionsOf = (group: string) =>
	allByRole("option", undefined, byRole("group", group)).map(textOf);

describe("the search of the console", () => {
	test("opens with the keyboard, and lists pages and the newest tenants", async () => {
		await open();
		await findByRole("group", "Tenants");
		expect(optionsOf("Pages")).toEqual([
			"Overview",
			"Tenants",
			"Find a user",
			"Applications",
			"Audit log",
			"Operators",
			"Keys",
			"Service",
			"Your account",
			"New tenant",
		]);
		expect(optionsOf("Tenants")).toHaveLength(1);
	});

	test("finds a user, and opens the user's page", async () => {
		const server = await open({ [USERS]: json([ada]) });
		expect(server.sent(USERS)).toEqual([]);
		await type(SEARCH, "ada@");
		await pass(250);
		await findTexts("ada@acme.example · Acme");
		server.answer({ "GET /tenant/user/get": refuse(404, "USER_NOT_FOUND", "User not found") });
		await click(byRole("option", /ada@acme.example/));
		await until(() => location.pathname.endsWith("/users/user-ada"));
		expect(location.pathname).toBe("/console/tenants/tenant-acme/users/user-ada");
		expect(allByRole("combobox", SEARCH)).toEqual([]);
	});

	test("asks the service for the last text only, after a pause", async () => {
		const server = await open({
			[TENANTS]: ({ query }) => list(query.search ? [suspendedTenant] : [acme])(),
		});
		await type(SEARCH, "g");
		await type(SEARCH, "globex");
		await pass(250);
		await findByRole("option", /Globex/);
		const searches = server.sent(TENANTS).flatMap(({ query }) => query.search ?? []);
		expect(searches).toEqual(["globex"]);
	});

	test("says that nothing was found", async () => {
		await open({ [TENANTS]: ({ query }) => list(query.search ? [] : [acme])() });
		await type(SEARCH, "nothing like this");
		await pass(250);
		await findTexts("Nothing found");
		expect(allByRole("option")).toEqual([]);
	});

	test("says why it could not look", async () => {
		const failed = refuse(503, "STORAGE_UNAVAILABLE", "The database is not available.");
		await open({ [TENANTS]: ({ query }) => (query.search ? failed() : list([acme])()) });
		await type(SEARCH, "globex");
		await pass(250);
		await findTexts("The database is not available.");
		expect(document.body.textContent).not.toContain("Nothing found");
	});

	test("offers nothing that the operator may not do, and looks for no user then", async () => {
		const server = await open({
			"GET /operator/me": json(operatorWithout("tenant:create", "operator:list", "user:list")),
		});
		await findByRole("group", "Pages");
		const pages = optionsOf("Pages");
		expect(pages).toContain("Keys");
		expect(pages).not.toContain("New tenant");
		expect(pages).not.toContain("Operators");
		expect(pages).not.toContain("Find a user");
		await type(SEARCH, "ada@");
		await pass(250);
		expect(server.sent(USERS)).toEqual([]);
	});
});
