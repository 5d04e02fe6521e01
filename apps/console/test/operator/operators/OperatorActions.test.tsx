// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, list, refuse } from "../../support/answers";
import type { Handlers } from "../../support/fake-server";
import { ivan, ivansLink, olga } from "../../support/fixtures/operator-accounts";
import { describeFormStates } from "../../support/form-states";
import { openConsole } from "../../support/open-console";
import { allByRole, byRole, findByRole, findTexts, textOf } from "../../support/screen";
import { choose, click, type } from "../../support/user";

const LIST = "GET /operator/list";
const UPDATE = "POST /operator/update";
const RESET = "POST /operator/reset";
const REMOVE = "POST /operator/remove";
const ENDED = refuse(401, "TENANT_MANAGEMENT_NOT_ALLOWED", "You are not allowed to do this");
const LAST_OWNER = refuse(409, "LAST_OWNER", "There must be at least one owner");

const open = (handlers: Handlers = {}) =>
	openConsole("/operators", { [LIST]: list([olga, ivan]), ...handlers });

const CONFIRM_EMAIL = "Type the email “ivan@service.example” to confirm";

describeFormStates("the removal of an operator", {
	open: async (handlers) => {
		const server = await open(handlers);
		await click("Remove ivan@service.example");
		return server;
	},
	request: REMOVE,
	fill: () => type(CONFIRM_EMAIL, "ivan@service.example"),
	submit: "Remove operator",
	valid: {
		answer: json({ success: true }),
		sends: { userId: "operator-2" },
		shows: ["ivan@service.example was removed."],
	},
	invalid: {
		"a removal that is not confirmed": {
			change: () => type(CONFIRM_EMAIL, "ivan"),
			shows: ["This deletes the account of ivan@service.example and ends its sessions."],
		},
	},
	conflict: {
		"the removal of the last owner": {
			answer: LAST_OWNER,
			shows: ["There must be at least one owner"],
		},
	},
	keeps: { [CONFIRM_EMAIL]: "ivan@service.example" },
});

describe("the role of an operator", () => {
	async function changeRole(): Promise<void> {
		await click("Change role of ivan@service.example");
		await choose("Role", "Auditor");
		await click("Save role");
	}

	test("is saved", async () => {
		const server = await open({ [UPDATE]: json({ ...ivan, role: "auditor" }) });
		await findTexts("ivan@service.example");
		server.answer({ [LIST]: list([{ ...ivan, role: "auditor" }]) });
		await changeRole();
		await findTexts("The role of ivan@service.example is now Auditor.");
		expect(server.sent(UPDATE)).toMatchObject([
			{ body: { userId: "operator-2", role: "auditor" } },
		]);
		expect(allByRole("dialog", "Change role")).toEqual([]);
	});

	test.each([
		["the service rejects it", LAST_OWNER, "There must be at least one owner"],
		["the session has ended", ENDED, "Your session has ended. Sign in again, and repeat this."],
	])("stays if %s, and the dialog says why", async (_, answer, message) => {
		await open({ [UPDATE]: answer });
		await changeRole();
		await findTexts(message);
		expect(textOf(byRole("dialog", "Change role"))).toContain(message);
	});
});

describe("a new link for an operator", () => {
	test("is made after the user confirms, and is shown once", async () => {
		const server = await open({ [RESET]: json(ivansLink) });
		await click("New link for ivan@service.example");
		await findTexts("ivan@service.example is signed out, and chooses a new password");
		expect(server.sent(RESET)).toEqual([]);
		await click("Create link");
		await findTexts("Give this link to ivan@service.example.", "token=for-ivan");
		expect(server.sent(RESET)).toMatchObject([{ body: { userId: "operator-2" } }]);
		await click("Done");
		expect(textOf(document.body)).not.toContain("token=for-ivan");
	});

	test("is not made if the session has ended, and the dialog says so", async () => {
		await open({ [RESET]: ENDED });
		await click("New link for ivan@service.example");
		await click("Create link");
		expect(textOf(await findByRole("alert"))).toBe(
			"Your session has ended. Sign in again, and repeat this.",
		);
	});
});

describe("an operator from the settings of the service", () => {
	test("can get a new link, but no other role, and cannot be removed", async () => {
		await open();
		expect(await findByRole("button", "New link for olga@service.example")).toBeTruthy();
		expect(allByRole("button", "Change role of olga@service.example")).toEqual([]);
		expect(allByRole("button", "Remove olga@service.example")).toEqual([]);
	});
});
