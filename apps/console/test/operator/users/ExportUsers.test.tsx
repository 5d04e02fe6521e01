// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, list } from "../../support/answers";
import { linesOf, watchDownloads } from "../../support/downloads";
import { permissionsOf } from "../../support/fixtures/admins";
import { operatorWithout } from "../../support/fixtures/operators";
import { ada, disabledUser } from "../../support/fixtures/tenant-users";
import { acme } from "../../support/fixtures/tenants";
import { openAdminPage } from "../../support/open-admin-page";
import { openConsole } from "../../support/open-console";
import { allByRole, findByRole, findTexts } from "../../support/screen";
import { until } from "../../support/time";
import { chooseInMenu } from "../../support/user";

const REQUEST = "GET /tenant/user/list";

describe("the export of users", () => {
	test("saves all users that match the search and the filters, without formulas", async () => {
		const saved = watchDownloads();
		const server = await openConsole(`/tenants/${acme.id}/users?q=a&status=active&order=oldest`, {
			[REQUEST]: list([ada]),
		});
		await findByRole("link", "Ada");
		const evil = { ...disabledUser, name: '=HYPERLINK("https://evil.example")' };
		server.answer({
			[REQUEST]: ({ query }) => (query.cursor ? list([evil])() : list([ada], 2, "after-1")()),
		});
		await chooseInMenu("Export", "CSV");
		await until(() => saved.length > 0);
		expect(saved.map(({ name }) => name)).toEqual([`users-${acme.slug}-2026-11-17.csv`]);
		const [header, first, second, ...more] = await linesOf(saved);
		expect(header).toBe("id,email,name,emailVerified,role,disabledAt,secondFactor,createdAt");
		expect(first).toContain(`${ada.id},ada@acme.example,Ada,true,`);
		expect(second).toContain(`"'=HYPERLINK(""https://evil.example"")"`);
		expect(more).toEqual([]);
		const exported = server.sent(REQUEST).filter(({ query }) => query.limit === "1000");
		const asked = { tenantId: acme.id, search: "a", status: "active", order: "oldest" };
		expect(exported.map(({ query }) => query)).toMatchObject([
			{ ...asked, offset: "0" },
			{ ...asked, cursor: "after-1" },
		]);
	});

	test("is there for the administrators of the tenant", async () => {
		const saved = watchDownloads();
		await openAdminPage("/users", {
			"GET /tenant/permissions": json(permissionsOf("admin")),
			[REQUEST]: list([ada]),
		});
		await findTexts("1–1 of 1 users");
		await chooseInMenu("Export", "CSV");
		await until(() => saved.length > 0);
		expect(await linesOf(saved)).toHaveLength(2);
	});

	test("is not there without the right to list users", async () => {
		await openConsole(`/tenants/${acme.id}/users`, {
			"GET /operator/me": json(operatorWithout("user:list")),
		});
		await findTexts("You may not see this page", "user:list");
		expect(allByRole("button", "Export")).toEqual([]);
	});
});
