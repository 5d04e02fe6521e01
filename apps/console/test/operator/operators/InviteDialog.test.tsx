// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, list, refuse } from "../../support/answers";
import type { Handlers } from "../../support/fake-server";
import { ivan, ivansLink } from "../../support/fixtures/operator-accounts";
import { describeFormStates } from "../../support/form-states";
import { openConsole } from "../../support/open-console";
import { allByRole, byRole, findTexts, textOf } from "../../support/screen";
import { choose, click, type } from "../../support/user";

const CREATE = "POST /operator/create";

async function open(handlers: Handlers = {}) {
	const server = await openConsole("/operators", { "GET /operator/list": list([]), ...handlers });
	await click("Invite operator");
	return server;
}

async function fill(): Promise<void> {
	await type("Email", "ivan@service.example");
	await type("Name", "Ivan");
	await choose("Role", "Support");
}

describeFormStates("the invitation of an operator", {
	open,
	request: CREATE,
	fill,
	submit: "Invite",
	valid: {
		answer: json(ivansLink),
		sends: { email: "ivan@service.example", name: "Ivan", role: "support", replace: false },
		shows: ["Give this link to ivan@service.example.", "token=for-ivan", "It is not shown again."],
		handlers: { "GET /operator/list": list([ivan]) },
	},
	invalid: {
		"an email without a domain": { change: () => type("Email", "ivan"), field: "Email" },
	},
	conflict: {
		"an email that an operator has": {
			answer: refuse(409, "OPERATOR_EXISTS", "An operator with this email already exists"),
			shows: ["An operator with this email already exists"],
		},
	},
	keeps: { Email: "ivan@service.example", Name: "Ivan", Role: "support" },
});

describe("the invitation of an operator, in use", () => {
	test("does not show the link if the service has sent it", async () => {
		await open({ [CREATE]: json({ ...ivansLink, url: null }) });
		await fill();
		await click("Invite");
		await findTexts("We sent a link to ivan@service.example.");
		expect(allByRole("button", "Copy link")).toEqual([]);
	});

	test("asks before it deletes a user who has the email", async () => {
		const server = await open({
			[CREATE]: refuse(409, "PLATFORM_USER_EXISTS", "A user with this email exists"),
		});
		await fill();
		await click("Invite");
		await findTexts("the user is deleted first if you continue.");
		expect(allByRole("button", "Invite")).toEqual([]);
		server.answer({ [CREATE]: json(ivansLink) });
		await click("Delete user and invite");
		await findTexts("Give this link to ivan@service.example.");
		expect(server.sent(CREATE)).toMatchObject([
			{ body: { replace: false } },
			{ body: { replace: true } },
		]);
	});

	test("does not delete a user after another email was typed", async () => {
		const server = await open({
			[CREATE]: refuse(409, "PLATFORM_USER_EXISTS", "A user with this email exists"),
		});
		await fill();
		await click("Invite");
		await findTexts("the user is deleted first if you continue.");
		await type("Email", "irina@service.example");
		expect(textOf(byRole("dialog", "Invite an operator"))).not.toContain("is deleted first");
		await click("Invite");
		await findTexts("the user is deleted first if you continue.");
		expect(server.sent(CREATE)).toMatchObject([
			{ body: { email: "ivan@service.example", replace: false } },
			{ body: { email: "irina@service.example", replace: false } },
		]);
	});
});
