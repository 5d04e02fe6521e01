// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, list } from "../../support/answers";
import { operatorWithout } from "../../support/fixtures/operators";
import { failedSignIn, signInOfAda } from "../../support/fixtures/sign-ins";
import { openConsole } from "../../support/open-console";
import { describePageStates } from "../../support/page-states";
import { allByRole, byLabel, findByRole, findTexts } from "../../support/screen";
import { pass } from "../../support/time";
import { choose, click, type } from "../../support/user";

const REQUEST = "GET /tenant/sign-in/list";
const PATH = "/tenants/tenant-acme/sign-ins";

describePageStates("the sign-ins of a tenant", {
	open: (handlers) => openConsole(PATH, handlers),
	request: REQUEST,
	filled: {
		answer: list([signInOfAda, failedSignIn]),
		shows: ["ada@acme.example", "203.0.113.7", "× 12", "1–2 of 2 sign-ins"],
	},
	empty: { answer: list([]), shows: ["No sign-ins yet"] },
	forbidden: {
		handlers: { "GET /operator/me": json(operatorWithout("sign-in:list")) },
		shows: ["You may not see this page", "sign-in:list"],
	},
});

describe("the sign-ins of a tenant, in use", () => {
	test("show who it was and why it failed", async () => {
		await openConsole(PATH, { [REQUEST]: list([signInOfAda, failedSignIn]) });
		const link = await findByRole("link", /^ada/);
		expect(link.getAttribute("href")).toBe("/console/tenants/tenant-acme/users/user-ada");
		const cells = allByRole("cell").map(({ textContent }) => textContent);
		expect(cells).toEqual(expect.arrayContaining(["Unknown", "No user has this email"]));
	});

	test("are found by the exact email after a pause", async () => {
		const server = await openConsole(PATH, {
			[REQUEST]: ({ query }) => (query.email ? list([]) : list([signInOfAda]))(),
		});
		await findTexts("1–1 of 1 sign-ins");
		await type("Email entered", "bob@acme.example");
		await pass(250);
		await findTexts("No sign-ins match these filters");
		expect(server.sent(REQUEST).at(-1)?.query).toMatchObject({ email: "bob@acme.example" });
		await click("Clear filters");
		await findTexts("1–1 of 1 sign-ins");
		expect(byLabel("Email entered").value).toBe("");
	});

	test("are found by result and reason", async () => {
		const server = await openConsole(`${PATH}?result=failed`, { [REQUEST]: list([failedSignIn]) });
		await findTexts("× 12");
		await choose("Reason", "Wrong password");
		await findTexts("1–1 of 1 sign-ins");
		expect(server.sent(REQUEST).at(-1)?.query).toMatchObject({
			result: "failed",
			reason: "INVALID_PASSWORD",
		});
	});

	test("do not lead to users whom the operator may not see", async () => {
		await openConsole(PATH, {
			[REQUEST]: list([signInOfAda]),
			"GET /operator/me": json(operatorWithout("user:get", "user:list")),
		});
		await findTexts("ada@acme.example");
		expect(allByRole("link", /^ada/)).toEqual([]);
		expect(allByRole("button", /^User:/)).toEqual([]);
	});
});
