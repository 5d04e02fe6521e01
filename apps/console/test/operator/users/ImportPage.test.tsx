// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, refuse } from "../../support/answers";
import type { FakeServer, Handlers } from "../../support/fake-server";
import { operatorWithout } from "../../support/fixtures/operators";
import { acme } from "../../support/fixtures/tenants";
import { openConsole } from "../../support/open-console";
import { allByRole, byLabel, findTexts } from "../../support/screen";
import { until } from "../../support/time";
import { choose, click, drop, upload } from "../../support/user";

const REQUEST = "POST /tenant/user/import";

const GRACE = { externalId: "1", email: "grace@acme.example", name: "Grace" };
const JOAN = { externalId: "2", email: "joan@acme.example", name: "Joan" };

const created = { line: 1, externalId: "1", status: "created" };
const failed = {
	line: 2,
	externalId: "2",
	status: "failed",
	code: "ROLE_NOT_FOUND",
	message: "There is no such role",
};
const RESULTS = json({ results: [created, failed] });

const open = (handlers: Handlers = {}): Promise<FakeServer> =>
	openConsole(`/tenants/${acme.id}/users/import`, handlers);

const chooseFile = (...lines: string[]) =>
	upload("File", new File([lines.join("\n")], "users.ndjson"));

const chooseUsers = () => chooseFile(JSON.stringify(GRACE), JSON.stringify(JOAN));

describe("the import of users", () => {
	test("checks a file first, and imports nothing before the user confirms", async () => {
		const server = await open({ [REQUEST]: RESULTS });
		await chooseUsers();
		await findTexts(
			"Check of users.ndjson",
			"2 of 2 lines · 1 new, 0 changed, 0 unchanged, 1 with an error",
			"This was a check: nothing is imported yet.",
			"There is no such role ROLE_NOT_FOUND",
		);
		expect(server.sent(REQUEST).map(({ body }) => body)).toEqual([
			{ tenantId: acme.id, users: [GRACE, JOAN], dryRun: true },
		]);
	});

	test("checks a file that is dropped, and the same one again", async () => {
		const server = await open({ [REQUEST]: RESULTS });
		const file = new File([JSON.stringify(GRACE)], "users.ndjson");
		await drop("File", file);
		await findTexts("This was a check: nothing is imported yet.");
		expect(server.sent(REQUEST)).toHaveLength(1);
		await drop("File", file);
		await until(() => server.sent(REQUEST).length === 2);
		await findTexts("This was a check: nothing is imported yet.");
	});

	test("imports the file when the user confirms, and shows each line", async () => {
		const server = await open({ [REQUEST]: RESULTS });
		await chooseUsers();
		await click("Import 1 user");
		await findTexts("Import of users.ndjson", "1 created, 0 updated, 0 unchanged, 1 failed");
		expect(server.sent(REQUEST)).toMatchObject([
			{ body: { dryRun: true } },
			{ body: { dryRun: false } },
		]);
		await choose("Show", "Created users");
		expect(allByRole("row")).toHaveLength(2);
	});

	test("does not send lines that are not JSON, and counts lines as the file does", async () => {
		const server = await open({
			[REQUEST]: json({ results: [{ ...failed, line: 1, externalId: "1" }] }),
		});
		await chooseFile("nothing", "", JSON.stringify(GRACE));
		await findTexts(
			"There is nothing to import in this file.",
			"1 – with an error The line is not valid JSON. INVALID_JSON",
			"3 1 with an error There is no such role",
		);
		expect(server.sent(REQUEST)).toMatchObject([{ body: { users: [GRACE] } }]);
		expect(allByRole("button", /^Import/)).toEqual([]);
	});

	test("takes a CSV file too", async () => {
		const server = await open({ [REQUEST]: RESULTS });
		const rows = [
			"externalId,email,name",
			"1,grace@acme.example,Grace",
			"2,joan@acme.example,Joan",
		];
		await upload("File", new File([rows.join("\r\n")], "users.CSV"));
		await findTexts(
			"Check of users.CSV",
			"2 of 2 lines · 1 new, 0 changed, 0 unchanged, 1 with an error",
		);
		expect(server.sent(REQUEST).map(({ body }) => body)).toEqual([
			{ tenantId: acme.id, users: [GRACE, JOAN], dryRun: true },
		]);
	});

	test("refuses a file in another encoding, in which names would be wrong", async () => {
		const server = await open();
		// An ü in Latin-1.
		const start = new TextEncoder().encode("externalId,email,name\n1,a@b.example,");
		const latin1 = Uint8Array.from([...start, 0xfc]);
		await upload("File", new File([latin1], "users.csv"));
		await findTexts("The check stopped: The file is not in UTF-8. Save it again in that encoding.");
		expect(server.sent(REQUEST)).toEqual([]);
	});

	test("says what is wrong with a CSV file, and sends nothing", async () => {
		const server = await open();
		await upload("File", new File(["id,email\n1,ada@acme.example"], "users.csv"));
		await findTexts("The check stopped: The first line has no column externalId.");
		expect(server.sent(REQUEST)).toEqual([]);
	});

	test("says that a file has no lines, and sends nothing", async () => {
		const server = await open();
		await chooseFile("", "");
		await findTexts("The check stopped: The file has no lines.");
		expect(server.sent(REQUEST)).toEqual([]);
	});

	test("says why it stopped, and continues when the user asks for it", async () => {
		const server = await open({ [REQUEST]: refuse(503, "STORAGE_UNAVAILABLE", "Storage failed") });
		await chooseUsers();
		await findTexts("The check stopped: Storage failed.", "0 of 2 lines");
		server.answer({ [REQUEST]: RESULTS });
		await click("Continue the check");
		await findTexts("2 of 2 lines", "This was a check");
		expect(allByRole("alert")).toEqual([]);
	});

	test("waits and asks again if the service limits its calls", async () => {
		let calls = 0;
		await open({
			[REQUEST]: () => {
				calls += 1;
				return calls === 1 ? refuse(429, "", "Too many requests")() : RESULTS();
			},
		});
		await chooseUsers();
		expect(byLabel("File").disabled).toBe(true);
		await findTexts("2 of 2 lines");
		expect(calls).toBe(2);
	});

	test("says so if the operator may not do it any more", async () => {
		await open({ [REQUEST]: refuse(403, "TENANT_MANAGEMENT_NOT_ALLOWED", "Not allowed") });
		await chooseUsers();
		await findTexts("The check stopped: Not allowed.");
		expect(byLabel("File").disabled).toBe(false);
	});

	test("is not there without the right", async () => {
		await open({ "GET /operator/me": json(operatorWithout("user:import")) });
		await findTexts("You may not see this page", "user:import");
		expect(allByRole("button", /^Import/)).toEqual([]);
	});
});
