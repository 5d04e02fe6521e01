// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { list } from "../../support/answers";
import { linesOf, watchDownloads } from "../../support/downloads";
import type { Handlers } from "../../support/fake-server";
import { tenantDeleted, userDisabled } from "../../support/fixtures/audit-events";
import { openConsole } from "../../support/open-console";
import { findByRole, findTexts } from "../../support/screen";
import { until } from "../../support/time";
import { chooseInMenu } from "../../support/user";

const REQUEST = "GET /service/audit";

async function open(handlers: Handlers) {
	const saved = watchDownloads();
	const server = await openConsole("/audit?action=user:disable", handlers);
	await findByRole("button", "Export");
	await findTexts("1–1 of 1 events");
	return { server, saved };
}

describe("the export of the audit log", () => {
	test("saves all pages of what the filters match as CSV", async () => {
		const { server, saved } = await open({ [REQUEST]: list([userDisabled]) });
		server.answer({
			[REQUEST]: ({ query }) =>
				query.cursor ? list([tenantDeleted])() : list([userDisabled], 2, "after-1")(),
		});
		await chooseInMenu("Export", "CSV");
		await until(() => saved.length > 0);
		expect(saved.map(({ name }) => name)).toEqual(["audit-log-2026-11-17.csv"]);
		const lines = await linesOf(saved);
		expect(lines).toHaveLength(3);
		expect(lines[0]).toMatch(/^time,action,tenant,/);
		expect(lines[1]).toMatch(/user:disable,Acme,tenant-acme,bob@acme\.example/);
		expect(lines[2]).toContain("tenant:delete");
		expect(server.sent(REQUEST).map(({ query }) => query)).toContainEqual(
			expect.objectContaining({ action: "user:disable", cursor: "after-1" }),
		);
	});

	test("saves one event per line as NDJSON", async () => {
		const { saved } = await open({ [REQUEST]: list([userDisabled]) });
		await chooseInMenu("Export", "NDJSON");
		await until(() => saved.length > 0);
		expect(saved.map(({ name }) => name)).toEqual(["audit-log-2026-11-17.ndjson"]);
		expect(JSON.parse((await saved[0]?.content.text()) ?? "")).toEqual(userDisabled);
	});
});
