import { readFileSync } from "node:fs";
import { tenantAccess, tenantAuth } from "better-auth-tenant";
import { expect, it } from "vitest";
import { managedRoutes } from "../support/http/endpoint-calls";

const page = readFileSync(new URL("../../../../docs/people.md", import.meta.url), "utf8");

it("docs/people.md has a call of every endpoint that it is about", () => {
	for (const verb of ["create", "update", "disable", "enable", "impersonate"]) {
		expect(page).toContain(`$AUTH/tenant/user/${verb} `);
	}
});

it("docs/people.md names every action in its table", () => {
	const [, table = ""] = page.split("| action | by default |\n");
	const named = [...(table.split("\n\n")[0] ?? "").matchAll(/`([\w:*-]+)`/g)].flatMap(
		([, name = ""]) => name,
	);
	let resource = "";
	const patterns = named.map((name) => {
		if (name.includes(":")) [resource = ""] = name.split(":");
		return name.includes(":") ? name : `${resource}:${name}`;
	});
	const isNamed = (action: string) =>
		patterns.includes(action) || patterns.includes(`${action.split(":")[0]}:*`);
	expect(managedRoutes.map(({ action }) => action).filter((action) => !isNamed(action))).toEqual(
		[],
	);
});

it("the roles of docs/people.md start", () => {
	const code = page.match(/^export const plugin = (.*?)^```$/ms)?.[1] ?? "";
	const start = new Function("tenantAccess", "tenantAuth", `return ${code}`);
	expect(start(tenantAccess, tenantAuth)).toMatchObject({ id: "tenant-auth" });
});
