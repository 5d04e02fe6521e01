// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, list, refuse } from "../../support/answers";
import type { Handlers } from "../../support/fake-server";
import { signInOfAda } from "../../support/fixtures/sign-ins";
import { ada, detailsOf } from "../../support/fixtures/tenant-users";
import { acme } from "../../support/fixtures/tenants";
import { openConsole } from "../../support/open-console";
import { findTexts } from "../../support/screen";

const SIGN_INS = "GET /tenant/sign-in/list";

const open = (handlers: Handlers) =>
	openConsole(`/tenants/${acme.id}/users/${ada.id}`, {
		"GET /tenant/user/get": json(detailsOf(ada)),
		...handlers,
	});

describe("the last sign-in of a user", () => {
	test("says when, how and where", async () => {
		const server = await open({ [SIGN_INS]: list([signInOfAda]) });
		await findTexts("Last sign-in Nov 17, 2026", "Password · Unknown device · 203.0.113.7");
		expect(server.sent(SIGN_INS).map(({ query }) => query)).toContainEqual(
			expect.objectContaining({ userId: ada.id, result: "succeeded", limit: "1" }),
		);
	});

	test("says that there is none", async () => {
		await open({});
		await findTexts("Last sign-in None in the sign-in log");
		expect(document.body.textContent).not.toContain("Could not be loaded");
	});

	test("does not hide the rest of the page if it could not be loaded", async () => {
		await open({ [SIGN_INS]: refuse(403, "", "Not allowed") });
		await findTexts("Last sign-in Could not be loaded", "Sign-in methods");
		expect(document.body.textContent).not.toContain("None in the sign-in log");
	});
});
