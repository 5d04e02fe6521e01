// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, refuse } from "../../support/answers";
import type { Handlers } from "../../support/fake-server";
import { permissionsOf } from "../../support/fixtures/admins";
import { operatorWithout } from "../../support/fixtures/operators";
import { ada, detailsOf, disabledUser, olivia } from "../../support/fixtures/tenant-users";
import { acme } from "../../support/fixtures/tenants";
import { openAdminPage } from "../../support/open-admin-page";
import { openConsole } from "../../support/open-console";
import { describePageStates } from "../../support/page-states";
import { allByRole, byRole, findByRole, findTexts } from "../../support/screen";
import { click } from "../../support/user";

const REQUEST = "GET /tenant/user/get";

const open = (handlers: Handlers) =>
	openConsole(`/tenants/${acme.id}/users/${ada.id}`, {
		[REQUEST]: json(detailsOf(ada)),
		...handlers,
	});

describePageStates("the page of a user", {
	open,
	request: REQUEST,
	filled: {
		answer: json(detailsOf(ada)),
		shows: ["ada@acme.example", "Sign-in methods", "added Nov 3, 2026", "Firefox on Linux"],
	},
	empty: {
		answer: json({ user: ada, accounts: [], passkeys: [], sessions: [] }),
		shows: ["No sign-in methods", "No active sessions"],
	},
	forbidden: {
		handlers: { "GET /operator/me": json(operatorWithout("user:get")) },
		shows: ["You may not see this page", "user:get"],
	},
});

describe("the page of a user, in use", () => {
	test("says that there is no such user, and leads back to the list", async () => {
		await open({ [REQUEST]: refuse(404, "USER_NOT_FOUND", "User not found") });
		await findTexts("Could not load this user", "User not found");
		expect(byRole("link", /Users of Acme/).getAttribute("href")).toBe(
			`/console/tenants/${acme.id}/users`,
		);
	});

	test("shows the account at a provider, the second factor and the state", async () => {
		const { accounts } = detailsOf(ada);
		await open({
			[REQUEST]: json({
				...detailsOf({ ...disabledUser, twoFactorEnabled: true }),
				accounts: [{ ...accounts[0], providerId: "github", accountId: "4711" }],
			}),
		});
		await findTexts(
			"GitHub",
			"Account 4711",
			"A password also needs a code from an authenticator app.",
			"Disabled",
			"Not verified",
		);
		expect(byRole("heading", "Boris").tagName).toBe("H1");
	});

	test("revokes one session after it has asked", async () => {
		const server = await open({ "POST /tenant/session/revoke": json({ success: true }) });
		await click("Revoke the session of ada@acme.example on Firefox on Linux");
		expect(server.sent("POST /tenant/session/revoke")).toEqual([]);
		server.answer({ [REQUEST]: json({ ...detailsOf(ada), sessions: [] }) });
		await click("Revoke session");
		await findTexts("Session revoked.", "No active sessions");
		expect(server.sent("POST /tenant/session/revoke")).toMatchObject([
			{ body: { sessionId: "session-user-ada" } },
		]);
	});

	test("leads to the sign-ins and the audit log of the user", async () => {
		await open({});
		const signIns = await findByRole("link", "Sign-ins of this user");
		expect(signIns.getAttribute("href")).toBe(
			`/console/tenants/${acme.id}/sign-ins?user=${ada.id}`,
		);
		expect(byRole("link", "Audit log of this user").getAttribute("href")).toBe(
			`/console/tenants/${acme.id}/audit?target=${ada.id}`,
		);
	});

	test("lets an admin of the tenant only look at an owner", async () => {
		await openAdminPage(`/users/${olivia.id}`, {
			[REQUEST]: json(detailsOf(olivia)),
			"GET /tenant/permissions": json(permissionsOf("admin")),
		});
		await findTexts("olivia@acme.example");
		expect(allByRole("button", /^(Edit|Delete|Disable|Revoke.*)$/)).toEqual([]);
		expect(allByRole("heading", "Actions")).toEqual([]);
	});
});
