// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, list, refuse } from "../../support/answers";
import type { Handlers } from "../../support/fake-server";
import { permissionsOf } from "../../support/fixtures/admins";
import { operatorWithout } from "../../support/fixtures/operators";
import { ada, olivia, sessionOf } from "../../support/fixtures/tenant-users";
import { acme } from "../../support/fixtures/tenants";
import { openAdminPage } from "../../support/open-admin-page";
import { openConsole } from "../../support/open-console";
import { describePageStates } from "../../support/page-states";
import { allByRole, byRole, findByRole, findTexts, textOf } from "../../support/screen";
import { click } from "../../support/user";

const REQUEST = "GET /tenant/session/list";
const REVOKE = "POST /tenant/session/revoke";
const BUTTON = "Revoke the session of ada@acme.example on Firefox on Linux";

const open = (handlers: Handlers) =>
	openConsole(`/tenants/${acme.id}/sessions`, {
		[REQUEST]: list([sessionOf(ada)]),
		...handlers,
	});

describePageStates("the sessions of a tenant", {
	open,
	request: REQUEST,
	filled: {
		answer: list([sessionOf(ada), sessionOf(olivia)]),
		shows: ["Firefox on Linux", "192.0.2.7", "1–2 of 2 sessions"],
	},
	empty: { answer: list([]), shows: ["No active sessions"] },
	forbidden: {
		handlers: { "GET /operator/me": json(operatorWithout("session:list")) },
		shows: ["You may not see this page", "session:list"],
	},
});

describe("the sessions of a tenant, in use", () => {
	test("asks before it revokes a session, and reads the list again", async () => {
		const server = await open({ [REVOKE]: json({ success: true }) });
		await click(BUTTON);
		await findTexts("This signs Ada out of Firefox on Linux.");
		expect(server.sent(REVOKE)).toEqual([]);
		server.answer({ [REQUEST]: list([]) });
		await click("Revoke session");
		await findTexts("Session revoked.", "No active sessions");
		expect(server.sent(REVOKE).map(({ body }) => body)).toEqual([
			{ tenantId: acme.id, userId: ada.id, sessionId: "session-user-ada" },
		]);
	});

	test("says in the dialog why a session was not revoked", async () => {
		await open({ [REVOKE]: refuse(404, "SESSION_NOT_FOUND", "Session not found") });
		await click(BUTTON);
		await click("Revoke session");
		const alert = await findByRole("alert", undefined, byRole("dialog", /Revoke/));
		expect(textOf(alert)).toBe("Session not found");
	});

	test("revokes all sessions that are selected, after it has asked", async () => {
		const server = await open({
			[REQUEST]: list([sessionOf(ada), sessionOf(olivia)]),
			[REVOKE]: json({ success: true }),
		});
		await findTexts("1–2 of 2 sessions");
		await click(byRole("checkbox", "Select all on this page"));
		await click(byRole("button", "Revoke", byRole("group", "Selected sessions")));
		const dialog = await findByRole("dialog", "Revoke: 2 sessions");
		expect(server.sent(REVOKE)).toEqual([]);
		await click(byRole("button", "Revoke", dialog));
		await findTexts("2 sessions revoked.");
		expect(server.sent(REVOKE)).toHaveLength(2);
	});

	test("offers nothing that the operator may not do", async () => {
		await open({ "GET /operator/me": json(operatorWithout("session:revoke", "user:get")) });
		await findTexts("Firefox on Linux");
		expect(allByRole("button", BUTTON)).toEqual([]);
		expect(allByRole("checkbox")).toEqual([]);
		expect(allByRole("link", /ada/)).toEqual([]);
	});

	test("does not let an admin of the tenant revoke a session of an owner", async () => {
		await openAdminPage("/sessions", {
			[REQUEST]: list([sessionOf(ada), sessionOf(olivia)]),
			"GET /tenant/permissions": json(permissionsOf("admin")),
		});
		expect(await findByRole("button", BUTTON)).toBeTruthy();
		expect(allByRole("button", /^Revoke the session of/)).toHaveLength(1);
	});
});
