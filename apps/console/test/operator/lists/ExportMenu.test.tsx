// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { list, never, refuse } from "../../support/answers";
import { linesOf, watchDownloads } from "../../support/downloads";
import type { Handlers } from "../../support/fake-server";
import { tenantDeleted, userDisabled } from "../../support/fixtures/audit-events";
import { openConsole } from "../../support/open-console";
import { byRole, findByRole, findTexts, reasonOf } from "../../support/screen";
import { until } from "../../support/time";
import { chooseInMenu, click } from "../../support/user";

const REQUEST = "GET /service/audit";

async function open(handlers: Handlers) {
	const saved = watchDownloads();
	const server = await openConsole("/audit?action=user:disable", handlers);
	await findByRole("button", "Export");
	return { server, saved };
}

describe("the export of a list", () => {
	test("says how far it is, and does not start twice", async () => {
		const { server } = await open({ [REQUEST]: list([userDisabled]) });
		server.answer({
			[REQUEST]: ({ query }) =>
				query.cursor ? never()() : list([userDisabled, tenantDeleted], 3, "after-2")(),
		});
		await chooseInMenu("Export", "CSV");
		await findTexts("Exporting 2");
		await click(byRole("button", "Export"));
		const again = await findByRole("menuitem", "CSV");
		expect(reasonOf(again)).toBe("An export is running.");
		const before = server.sent(REQUEST).length;
		await click(again);
		expect(server.sent(REQUEST)).toHaveLength(before);
	});

	test("says why it failed, and saves nothing", async () => {
		const { server, saved } = await open({ [REQUEST]: list([userDisabled]) });
		server.answer({ [REQUEST]: refuse(503, "STORAGE_UNAVAILABLE", "The database is down") });
		await chooseInMenu("Export", "CSV");
		await findTexts("Could not export: The database is down");
		expect(saved).toEqual([]);
	});

	test("says why it failed in the middle, saves nothing, and can be repeated", async () => {
		const { server, saved } = await open({ [REQUEST]: list([userDisabled]) });
		const failsLater = ({ query }: { query: Record<string, string> }) =>
			query.cursor
				? refuse(503, "STORAGE_UNAVAILABLE", "The database is down")()
				: list([userDisabled], 2, "after-1")();
		server.answer({ [REQUEST]: failsLater });
		await chooseInMenu("Export", "CSV");
		await findTexts("Could not export: The database is down");
		expect(saved).toEqual([]);
		server.answer({ [REQUEST]: list([userDisabled]) });
		await until(() => byRole("button", "Export").textContent === "Export");
		await chooseInMenu("Export", "CSV");
		await until(() => saved.length > 0);
		expect(await linesOf(saved)).toHaveLength(2);
	});

	test("says so if the caller may not read the list any more", async () => {
		const { server, saved } = await open({ [REQUEST]: list([userDisabled]) });
		server.answer({ [REQUEST]: refuse(403, "TENANT_MANAGEMENT_NOT_ALLOWED", "Not allowed") });
		await chooseInMenu("Export", "CSV");
		await findTexts("Could not export: Not allowed");
		expect(saved).toEqual([]);
	});

	test("of an empty list has the names of the columns only", async () => {
		const { saved } = await open({ [REQUEST]: list([]) });
		await chooseInMenu("Export", "CSV");
		await until(() => saved.length > 0);
		expect(await linesOf(saved)).toEqual([expect.stringMatching(/^time,action,tenant,/)]);
	});
});
