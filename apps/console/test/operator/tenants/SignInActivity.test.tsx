// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, list, never, refuse } from "../../support/answers";
import type { Handlers } from "../../support/fake-server";
import { acme } from "../../support/fixtures/tenants";
import { openConsole } from "../../support/open-console";
import { allByRole, byRole, findByRole, findTexts, isBusy, textOf } from "../../support/screen";
import { pass } from "../../support/time";
import { click } from "../../support/user";

const REQUEST = "GET /tenant/sign-in/list";
const DAY_MS = 24 * 60 * 60 * 1000;

/** 3 sign-ins on each day and 30 in the week before, and a third of it failed. */
const counts: Handlers[string] = ({ query }) => {
	const isDay = Date.parse(query.until ?? "") - Date.parse(query.since ?? "") < 2 * DAY_MS;
	return list([], (isDay ? 3 : 30) / (query.result === "failed" ? 3 : 1))();
};

const open = (answer: Handlers[string]) =>
	openConsole(`/tenants/${acme.id}`, {
		"GET /tenant/user/list": list([]),
		"GET /tenant/session/list": list([]),
		"GET /tenant/oauth-config/effective": json([]),
		[REQUEST]: answer,
	});

describe("the sign-ins of the last days", () => {
	test("are counted by their result, and compared with the days before", async () => {
		const server = await open(counts);
		await findTexts("21 in 7 days", "-30% from 30 in the 7 days before");
		await findTexts("7 in 7 days", "-30% from 10 in the 7 days before");
		// For each result: seven days, and the seven before in one call.
		expect(server.sent(REQUEST)).toHaveLength(16);
		const queries = server.sent(REQUEST).map(({ query }) => query);
		expect(queries.every(({ limit, tenantId }) => limit === "1" && tenantId === acme.id)).toBe(
			true,
		);
		expect(new Set(queries.map(({ result }) => result))).toEqual(new Set(["succeeded", "failed"]));
	});

	test("lead to the sign-ins of the week and of a day", async () => {
		await open(counts);
		const chart = await findByRole("figure", "Failed sign-ins");
		const list = `/console/tenants/${acme.id}/sign-ins`;
		expect(byRole("link", "7 in 7 days", chart).getAttribute("href")).toBe(
			`${list}?result=failed&since=2026-11-11&until=2026-11-17`,
		);
		const table = byRole("table", undefined, chart);
		expect(
			allByRole("link", "1", table)
				.map((link) => link.getAttribute("href"))
				.at(-1),
		).toBe(`${list}?result=failed&since=2026-11-17&until=2026-11-17`);
		expect(allByRole("link", "1", table)).toHaveLength(7);
	});

	test("say that there were none", async () => {
		await open(list([]));
		await findTexts("0 in 7 days", "None in the 7 days before");
		expect(isBusy()).toBe(false);
	});

	test("say that they load", async () => {
		await open(never());
		await pass(20);
		expect(isBusy()).toBe(true);
		expect(allByRole("figure")).toEqual([]);
	});

	test("say why they could not load, and load again when the user asks for it", async () => {
		const server = await open(({ query }) =>
			query.result === "failed"
				? refuse(503, "STORAGE_UNAVAILABLE", "The database is not available.")()
				: list([], 3)(),
		);
		expect(textOf(await findByRole("alert"))).toContain("The database is not available.");
		server.answer({ [REQUEST]: list([], 3) });
		await click("Try again");
		expect(await findByRole("figure", "Failed sign-ins")).toBeTruthy();
		expect(allByRole("alert")).toEqual([]);
	});
});
