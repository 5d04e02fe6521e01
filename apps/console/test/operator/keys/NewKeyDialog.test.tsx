// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, list, refuse } from "../../support/answers";
import type { Handlers } from "../../support/fake-server";
import { deploymentKey } from "../../support/fixtures/operator-accounts";
import { acme } from "../../support/fixtures/tenants";
import { describeFormStates } from "../../support/form-states";
import { openConsole } from "../../support/open-console";
import { allByRole, findByLabel, findByRole, findTexts, textOf } from "../../support/screen";
import { choose, click, type } from "../../support/user";

const CREATE = "POST /operator/key/create";
const CREATED = json({ ...deploymentKey, key: "tak_abc_secret" });

const IN_90_DAYS: unknown = expect.stringMatching(/^2027-02-15T12:00:00/);

async function open(handlers: Handlers = {}) {
	const server = await openConsole("/keys", { "GET /operator/key/list": list([]), ...handlers });
	await click("New key");
	return server;
}

describeFormStates("the form for a new key", {
	open,
	request: CREATE,
	fill: () => type("Name", " Deployment "),
	submit: "Create key",
	valid: {
		answer: CREATED,
		sends: { name: "Deployment", scopes: ["auditor"], expiresAt: IN_90_DAYS },
		shows: ["Copy it now: it is not shown again.", "tak_abc_secret"],
	},
	invalid: {
		"an empty name": { change: () => type("Name", ""), field: "Name" },
		"a name that has only spaces": { change: () => type("Name", "  "), field: "Name" },
		"a key without an action": {
			change: async () => {
				await choose("May do", "Single actions");
				await click("Create key");
			},
			shows: ["Choose at least one action."],
		},
	},
	conflict: {
		"one key too many": {
			answer: refuse(409, "TOO_MANY_KEYS", "There are too many keys"),
			shows: ["There are too many keys"],
		},
	},
	keeps: { Name: " Deployment ", "May do": "auditor", Expires: "90" },
});

describe("the form for a new key, in use", () => {
	test("limits a key to single actions and to one tenant, and lets it never expire", async () => {
		const server = await open({ [CREATE]: CREATED, "GET /tenant/list": list([acme]) });
		await type("Name", "Report");
		await choose("May do", "Single actions");
		await click(await findByLabel("user:list"));
		await choose("Expires", "Never");
		await click("Tenant: All tenants");
		await click(await findByRole("option", /Acme/));
		await click("Create key");
		await findTexts("tak_abc_secret");
		expect(server.sent(CREATE).map(({ body }) => body)).toEqual([
			{ name: "Report", scopes: ["user:list"], tenantId: "tenant-acme" },
		]);
	});

	test("offers no action with which a key could make keys or operators", async () => {
		await open();
		await choose("May do", "Single actions");
		expect(await findByLabel("user:list")).toBeTruthy();
		expect(allByRole("checkbox", /^(key|operator):/)).toEqual([]);
	});

	test("shows a key once", async () => {
		const server = await open({ [CREATE]: CREATED });
		await type("Name", "Deployment");
		await click("Create key");
		await findTexts("tak_abc_secret");
		server.answer({ "GET /operator/key/list": list([deploymentKey]) });
		await click("Done");
		await click("New key");
		expect((await findByLabel("Name")).value).toBe("");
		expect(textOf(document.body)).not.toContain("tak_abc_secret");
	});
});
