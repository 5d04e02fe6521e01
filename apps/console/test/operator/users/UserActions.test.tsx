// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, list, refuse } from "../../support/answers";
import type { Handlers } from "../../support/fake-server";
import { operatorWithout } from "../../support/fixtures/operators";
import { ada, detailsOf, disabledUser } from "../../support/fixtures/tenant-users";
import { acme } from "../../support/fixtures/tenants";
import { openConsole } from "../../support/open-console";
import { allByRole, byRole, findByRole, findTexts, reasonOf, textOf } from "../../support/screen";
import { until } from "../../support/time";
import { click, type } from "../../support/user";

const REQUEST = "GET /tenant/user/get";
const BODY = { tenantId: acme.id, userId: ada.id };

const open = (handlers: Handlers = {}) =>
	openConsole(`/tenants/${acme.id}/users/${ada.id}`, {
		[REQUEST]: json(detailsOf(ada)),
		...handlers,
	});

describe("the actions on a user", () => {
	test("send a password reset, and say where it went", async () => {
		const request = "POST /tenant/user/send-password-reset";
		const server = await open({ [request]: json({ success: true }) });
		await click("Send email");
		await findTexts("Password reset sent to ada@acme.example.");
		expect(server.sent(request).map(({ body }) => body)).toEqual([BODY]);
	});

	test("say why a password reset was not sent", async () => {
		await open({
			"POST /tenant/user/send-password-reset": refuse(500, "", "The mail server is down"),
		});
		await click("Send email");
		expect(textOf(await findByRole("alert"))).toBe("The mail server is down");
	});

	test("ask before a second factor is removed", async () => {
		const request = "POST /tenant/user/remove-second-factor";
		const server = await open({
			[REQUEST]: json(detailsOf({ ...ada, twoFactorEnabled: true })),
			[request]: json(ada),
		});
		await click("Remove");
		await findTexts("Make sure that it is really ada@acme.example who asks for it.");
		expect(server.sent(request)).toEqual([]);
		server.answer({ [REQUEST]: json(detailsOf(ada)) });
		await click("Remove second factor");
		await findTexts("ada@acme.example has no second factor any more.");
		expect(server.sent(request).map(({ body }) => body)).toEqual([BODY]);
		await until(() => allByRole("heading", "Remove the second factor").length === 0);
		expect(allByRole("heading", "Remove the second factor")).toEqual([]);
	});

	test("ask before a user is signed out everywhere", async () => {
		const request = "POST /tenant/user/revoke-sessions";
		const server = await open({ [request]: json({ success: true }) });
		await findByRole("heading", "Actions");
		await click(byRole("button", "Sign out", byRole("main")));
		const dialog = await findByRole("dialog", "Sign out of all devices?");
		expect(server.sent(request)).toEqual([]);
		server.answer({ [REQUEST]: json({ ...detailsOf(ada), sessions: [] }) });
		await click(byRole("button", "Sign out", dialog));
		await findTexts("ada@acme.example was signed out.", "No active sessions");
		expect(reasonOf(byRole("button", "Sign out", byRole("main")))).toBe(
			"The user has no sessions.",
		);
	});

	test("ask before a user is disabled", async () => {
		const request = "POST /tenant/user/disable";
		const server = await open({ [request]: json(ada) });
		await click("Disable");
		await findTexts("ada@acme.example is signed out everywhere and cannot sign in");
		expect(server.sent(request)).toEqual([]);
		const disabledAt = "2026-11-17T12:00:00.000Z";
		server.answer({ [REQUEST]: json(detailsOf({ ...ada, disabledAt })) });
		await click("Disable user");
		await findTexts("ada@acme.example was disabled.", "The user can sign in again.");
		expect(server.sent(request).map(({ body }) => body)).toEqual([BODY]);
	});

	test("enable a user, who cannot be impersonated before", async () => {
		const request = "POST /tenant/user/enable";
		const server = await open({
			[REQUEST]: json(detailsOf(disabledUser)),
			[request]: json(disabledUser),
		});
		await findByRole("button", "Enable");
		expect(reasonOf(byRole("button", "Impersonate"))).toBe("The user is disabled.");
		await click("Enable");
		await findTexts("boris@acme.example was enabled.");
		expect(server.sent(request)).toHaveLength(1);
	});

	test("delete a user whose email was typed, and lead to the list", async () => {
		const request = "POST /tenant/user/delete";
		const server = await open({
			[request]: json({ success: true }),
			"GET /tenant/user/list": list([]),
		});
		await click("Delete");
		await findByRole("dialog", "Delete this user?");
		expect(reasonOf(byRole("button", "Delete user"))).toBe("Type it first.");
		await type("Type the email “ada@acme.example” to confirm", "ada@acme.example");
		await click("Delete user");
		await findTexts("ada@acme.example was deleted.", "No users yet");
		expect(server.sent(request).map(({ body }) => body)).toEqual([BODY]);
	});

	test("say in the dialog why a user was not deleted", async () => {
		await open({
			"POST /tenant/user/delete": refuse(409, "LAST_OWNER", "This is the last owner of the tenant"),
		});
		await click("Delete");
		await type("Type the email “ada@acme.example” to confirm", "ada@acme.example");
		await click("Delete user");
		const dialog = byRole("dialog", "Delete this user?");
		expect(textOf(await findByRole("alert", undefined, dialog))).toContain("last owner");
	});

	test("are missing without the rights", async () => {
		await open({
			"GET /operator/me": json(
				operatorWithout(
					"user:send-password-reset",
					"user:remove-second-factor",
					"user:sign-in-link",
					"user:impersonate",
					"user:revoke-sessions",
					"user:disable",
					"user:enable",
					"user:delete",
				),
			),
		});
		await findTexts("Sign-in methods");
		expect(allByRole("heading", "Actions")).toEqual([]);
	});

	test("include a sign-in link only for an owner", async () => {
		await open();
		await findByRole("heading", "Actions");
		expect(allByRole("button", "Create link")).toEqual([]);
	});
});
