// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { list } from "../../support/answers";
import { acme } from "../../support/fixtures/tenants";
import { openConsole } from "../../support/open-console";
import { allByRole, byRole, findByRole, textOf } from "../../support/screen";
import { click, press } from "../../support/user";

const KEY = "console.columns.tenants";
const COUNTED = ["Users", "Last activity"];
const BY_DEFAULT = ["Name", "Slug", "Status", ...COUNTED, "Created", "Actions"];

const titles = () =>
	allByRole("columnheader")
		.map(textOf)
		.map((title) => title.replace(/ [↑↓↕]$/, ""))
		// The checkbox that selects all rows.
		.filter(Boolean);

async function openTenants(stored?: string): Promise<void> {
	if (stored !== undefined) localStorage.setItem(KEY, stored);
	await openConsole("/tenants", { "GET /tenant/list": list([acme]) });
	await findByRole("link", "Acme");
}

const openMenu = () => click("Columns of tenants");

const choice = (name: string) => byRole("menuitemcheckbox", name);

describe("the columns of a list", () => {
	test("are chosen in a menu, and the browser remembers them for this list", async () => {
		await openTenants();
		expect(titles()).toEqual(BY_DEFAULT);
		await openMenu();
		await click(choice("Slug"));
		await click(choice("Tenant ID"));
		expect(titles()).toEqual(["Name", "Status", ...COUNTED, "Created", "Tenant ID", "Actions"]);
		expect(choice("Slug").getAttribute("aria-checked")).toBe("false");
		expect(choice("Tenant ID").getAttribute("aria-checked")).toBe("true");
		const keys = Object.keys(localStorage).filter((key) => key.startsWith("console.columns"));
		expect(keys).toEqual([KEY]);
		expect(JSON.parse(localStorage.getItem(KEY) ?? "")).toEqual({
			...{ Slug: false, "Tenant ID": true },
		});
	});

	test("are those that were chosen before", async () => {
		await openTenants('{"Slug":false,"Tenant ID":true}');
		expect(titles()).toEqual(["Name", "Status", ...COUNTED, "Created", "Tenant ID", "Actions"]);
	});

	test("can be chosen with the keyboard", async () => {
		await openTenants();
		byRole("button", "Columns of tenants").focus();
		await press("{Enter}");
		await findByRole("menu", "Columns of tenants");
		expect(document.activeElement).toBe(choice("Slug"));
		await press("{ArrowDown}{ArrowDown}{Enter}");
		expect(titles()).toEqual(["Name", "Slug", "Status", "Last activity", "Created", "Actions"]);
		await press("{End} ");
		expect(titles()).toEqual([
			...["Name", "Slug", "Status", "Last activity", "Created", "Tenant ID", "Actions"],
		]);
	});

	test("always have the name of a row and its actions", async () => {
		await openTenants('{"Name":false,"Actions":false}');
		expect(titles()).toEqual(BY_DEFAULT);
		await openMenu();
		expect(allByRole("menuitemcheckbox").map(textOf)).toEqual([
			...["Slug", "Status", ...COUNTED, "Created", "Updated", "Tenant ID"],
		]);
	});

	test.each([
		["no JSON", "{"],
		["no object", "[false,true]"],
		["null", "null"],
		["values that are no choice", '{"Slug":null,"Status":0,"Created":"no","Updated":{}}'],
		["columns that there are not", '{"Logo":true,"constructor":true,"Slugs":false}'],
	])("are those of a new list if the storage has %s", async (_, stored) => {
		await openTenants(stored);
		expect(titles()).toEqual(BY_DEFAULT);
	});
});
