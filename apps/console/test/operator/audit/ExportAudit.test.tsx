// @vitest-environment happy-dom
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { list, never, refuse } from "../../support/answers";
import type { Handlers } from "../../support/fake-server";
import { tenantDeleted, userDisabled } from "../../support/fixtures/audit-events";
import { openConsole } from "../../support/open-console";
import { byRole, findByRole, findTexts } from "../../support/screen";
import { until } from "../../support/time";
import { chooseInMenu, click } from "../../support/user";

const REQUEST = "GET /service/audit";

type Saved = { name: string; content: Blob };

/** What the browser would save as files. */
function watchDownloads(): Saved[] {
	const saved: Saved[] = [];
	const contents: Blob[] = [];
	const create = vi.spyOn(URL, "createObjectURL").mockImplementation((content) => {
		contents.push(content as Blob);
		return "blob:content";
	});
	const follow = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (
		this: HTMLAnchorElement,
	) {
		const content = contents.at(-1);
		if (content) saved.push({ name: this.download, content });
	});
	onTestFinished(() => {
		create.mockRestore();
		follow.mockRestore();
	});
	return saved;
}

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
		const lines = (await saved[0]?.content.text())?.trim().split("\r\n") ?? [];
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

	test("says how far it is, and does not start twice", async () => {
		const { server } = await open({ [REQUEST]: list([userDisabled]) });
		server.answer({
			[REQUEST]: ({ query }) =>
				query.cursor ? never()() : list([userDisabled, tenantDeleted], 3, "after-2")(),
		});
		await chooseInMenu("Export", "CSV");
		await findTexts("Exporting 2");
		await click(byRole("button", "Export"));
		expect((await findByRole("menuitem", "CSV")).hasAttribute("disabled")).toBe(true);
	});

	test("says why it failed, and saves nothing", async () => {
		const { server, saved } = await open({ [REQUEST]: list([userDisabled]) });
		server.answer({ [REQUEST]: refuse(503, "STORAGE_UNAVAILABLE", "The database is down") });
		await chooseInMenu("Export", "CSV");
		await findTexts("Could not export: The database is down");
		expect(saved).toEqual([]);
	});
});
