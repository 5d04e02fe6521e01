// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, list, never, refuse } from "../../support/answers";
import type { Handlers } from "../../support/fake-server";
import { userDisabled } from "../../support/fixtures/audit-events";
import { operatorWithout } from "../../support/fixtures/operators";
import { signInOfAda } from "../../support/fixtures/sign-ins";
import { ada, detailsOf } from "../../support/fixtures/tenant-users";
import { acme } from "../../support/fixtures/tenants";
import { openConsole } from "../../support/open-console";
import { allByRole, byRole, findByRole, findTexts, isBusy, textOf } from "../../support/screen";
import { pass } from "../../support/time";
import { click } from "../../support/user";

const SIGN_INS = "GET /tenant/sign-in/list";
const AUDIT = "GET /service/audit";

const open = (handlers: Handlers) =>
	openConsole(`/tenants/${acme.id}/users/${ada.id}`, {
		"GET /tenant/user/get": json(detailsOf(ada)),
		...handlers,
	});

const card = () => findByRole("region", "Timeline");

const failed = {
	...signInOfAda,
	id: "sign-in-9",
	createdAt: "2026-11-17T11:00:00.000Z",
	result: "failed",
	reason: "INVALID_PASSWORD",
	attempts: 3,
};

describe("the timeline of a user", () => {
	test("has sign-ins and changes in one list, newest first", async () => {
		const server = await open({
			[SIGN_INS]: list([failed, signInOfAda]),
			[AUDIT]: list([userDisabled]),
		});
		await findTexts("Could not sign in: Wrong password");
		const entries = allByRole("listitem", undefined, await card()).map(textOf);
		expect(entries).toHaveLength(3);
		expect(entries[0]).toMatch(/^Could not sign in: Wrong password.*Password.*3 times/);
		expect(entries[1]).toMatch(/^User disabled.*Reason: left the company · by olga@service/);
		expect(entries[2]).toMatch(/^Signed in.*Password.*203\.0\.113\.7/);
		expect(server.sent(AUDIT)[0]?.query).toMatchObject({ tenantId: acme.id, targetId: ada.id });
	});

	test("shows ten entries of each list at most", async () => {
		const many = Array.from({ length: 10 }, (_, index) => ({ ...signInOfAda, id: `s-${index}` }));
		await open({ [SIGN_INS]: list(many), [AUDIT]: list([userDisabled]) });
		await findTexts("User disabled");
		expect(allByRole("listitem", undefined, await card())).toHaveLength(10);
	});

	test("says that nothing has happened", async () => {
		await open({});
		await findTexts("Nothing has happened yet");
		expect(isBusy()).toBe(false);
	});

	test("says that it loads", async () => {
		await open({ [AUDIT]: never() });
		await card();
		await pass(20);
		expect(isBusy()).toBe(true);
		expect(textOf(await card())).not.toContain("Nothing has happened yet");
	});

	test("says why it could not load, and loads again when the user asks for it", async () => {
		const server = await open({ [AUDIT]: refuse(503, "", "The database is not available.") });
		const alert = await findByRole("alert");
		expect(textOf(alert)).toContain("The database is not available.");
		server.answer({ [AUDIT]: list([userDisabled]) });
		await click("Try again");
		await findTexts("User disabled");
		expect(allByRole("alert")).toEqual([]);
	});

	test("has only what the operator may see", async () => {
		const server = await open({
			"GET /operator/me": json(operatorWithout("audit:list")),
			[SIGN_INS]: list([signInOfAda]),
		});
		await findTexts("Signed in");
		expect(server.sent(AUDIT)).toEqual([]);
		expect(allByRole("link", "Audit log of this user")).toEqual([]);
		expect(byRole("link", "Sign-ins of this user")).toBeTruthy();
	});

	test("is not there for an operator who may see none of it", async () => {
		const server = await open({
			"GET /operator/me": json(operatorWithout("audit:list", "sign-in:list")),
		});
		await findTexts("Sign-in methods");
		expect(allByRole("region", "Timeline")).toEqual([]);
		expect(server.sent(SIGN_INS)).toEqual([]);
	});
});
