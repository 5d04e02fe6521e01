// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { list } from "../../support/answers";
import { linesOf, watchDownloads } from "../../support/downloads";
import { acme, suspendedTenant } from "../../support/fixtures/tenants";
import { openConsole } from "../../support/open-console";
import { findByRole } from "../../support/screen";
import { until } from "../../support/time";
import { chooseInMenu } from "../../support/user";

const REQUEST = "GET /tenant/list";

describe("the export of tenants", () => {
	test("saves all tenants that match, in the order of the list and without formulas", async () => {
		const saved = watchDownloads();
		const server = await openConsole("/tenants?status=open&sort=-name", {
			[REQUEST]: list([acme]),
		});
		await findByRole("link", "Acme");
		const evil = { ...suspendedTenant, name: "=1+1" };
		server.answer({
			[REQUEST]: ({ query }) => (query.cursor ? list([evil])() : list([acme], 2, "after-1")()),
		});
		await chooseInMenu("Export", "CSV");
		await until(() => saved.length > 0);
		expect(saved.map(({ name }) => name)).toEqual(["tenants-2026-11-17.csv"]);
		const [header, first, second, ...more] = await linesOf(saved);
		expect(header).toBe("id,slug,name,suspendedAt,createdAt,updatedAt");
		expect(first).toContain(`${acme.id},acme,Acme,,`);
		expect(second).toContain(",'=1+1,");
		expect(more).toEqual([]);
		const exported = server.sent(REQUEST).filter(({ query }) => query.limit === "1000");
		expect(exported.map(({ query }) => query)).toMatchObject([
			{ status: "open", sort: "-name", offset: "0" },
			{ status: "open", sort: "-name", cursor: "after-1" },
		]);
	});

	test("saves what a search finds as NDJSON", async () => {
		const saved = watchDownloads();
		const server = await openConsole("/tenants?q=ac", { [REQUEST]: list([acme]) });
		await findByRole("link", "Acme");
		await chooseInMenu("Export", "NDJSON");
		await until(() => saved.length > 0);
		const [first] = await linesOf(saved);
		expect(JSON.parse(first ?? "")).toMatchObject({ id: acme.id, slug: "acme" });
		expect(server.sent(REQUEST).at(-1)?.query).toMatchObject({ search: "ac", order: "newest" });
	});
});
