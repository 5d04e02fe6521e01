// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, list, refuse } from "../../support/answers";
import type { Handlers } from "../../support/fake-server";
import { operatorWithout } from "../../support/fixtures/operators";
import { acceptedInvitation, pendingInvitation } from "../../support/fixtures/tenant-invitations";
import { acme } from "../../support/fixtures/tenants";
import { openConsole } from "../../support/open-console";
import { describePageStates } from "../../support/page-states";
import { allByRole, byRole, findByRole, findTexts, reasonOf, textOf } from "../../support/screen";
import { chooseInMenu, click } from "../../support/user";

const REQUEST = "GET /tenant/invitation/list";
const REVOKE = "POST /tenant/invitation/revoke";
const RESEND = "POST /tenant/invitation/resend";
const MENU = "Actions for grace@acme.example";

const open = (handlers: Handlers) =>
	openConsole(`/tenants/${acme.id}/users/invitations`, {
		[REQUEST]: list([pendingInvitation]),
		...handlers,
	});

describePageStates("the invitations of a tenant", {
	open,
	request: REQUEST,
	filled: {
		answer: list([pendingInvitation, acceptedInvitation]),
		shows: ["Pending", "Accepted", "1–2 of 2 invitations"],
	},
	empty: { answer: list([]), shows: ["No invitations yet"] },
	forbidden: {
		handlers: { "GET /operator/me": json(operatorWithout("invitation:list")) },
		shows: ["You may not see this page", "invitation:list"],
	},
});

describe("the invitations of a tenant, in use", () => {
	test("asks before it revokes an invitation, and shows the new state", async () => {
		const server = await open({ [REVOKE]: json({ success: true }) });
		await chooseInMenu(MENU, "Revoke");
		await findTexts("The link that was sent to grace@acme.example stops working.");
		expect(server.sent(REVOKE)).toEqual([]);
		server.answer({ [REQUEST]: list([{ ...pendingInvitation, status: "revoked" }]) });
		await click("Revoke invitation");
		await findTexts("Invitation revoked.", "Revoked");
		expect(server.sent(REVOKE).map(({ body }) => body)).toEqual([
			{ tenantId: acme.id, invitationId: pendingInvitation.id },
		]);
	});

	test("says in the dialog why an invitation was not revoked", async () => {
		await open({ [REVOKE]: refuse(404, "INVITATION_NOT_FOUND", "Invitation not found") });
		await chooseInMenu(MENU, "Revoke");
		await click("Revoke invitation");
		const alert = await findByRole("alert", undefined, byRole("dialog", /Revoke/));
		expect(textOf(alert)).toBe("Invitation not found");
	});

	test("does not show the error of one invitation for another one", async () => {
		const other = { ...pendingInvitation, id: "invitation-3", email: "joan@acme.example" };
		await open({
			[REQUEST]: list([pendingInvitation, other]),
			[REVOKE]: refuse(404, "INVITATION_NOT_FOUND", "Invitation not found"),
		});
		await chooseInMenu(MENU, "Revoke");
		await click("Revoke invitation");
		await findTexts("Invitation not found");
		await click("Cancel");
		await chooseInMenu("Actions for joan@acme.example", "Revoke");
		await findTexts("The link that was sent to joan@acme.example stops working.");
		expect(allByRole("alert")).toEqual([]);
	});

	test("sends an invitation again", async () => {
		const server = await open({ [RESEND]: json(pendingInvitation) });
		await chooseInMenu(MENU, "Send again");
		await findTexts("Invitation sent to grace@acme.example.");
		expect(server.sent(RESEND)).toMatchObject([
			{ body: { invitationId: pendingInvitation.id, callbackURL: "/t/acme/invitation" } },
		]);
	});

	test("shows the new link once if the service sends no email", async () => {
		const url = "http://localhost:3000/t/acme/invitation?token=secret";
		await open({ [RESEND]: json({ ...pendingInvitation, url }) });
		await chooseInMenu(MENU, "Send again");
		await findTexts("This link is shown only once.", url);
		await click("Done");
		expect(textOf(document.body)).not.toContain(url);
	});

	test("does not let an accepted invitation be sent or revoked", async () => {
		await open({ [REQUEST]: list([acceptedInvitation]) });
		await click("Actions for hedy@acme.example");
		expect(reasonOf(byRole("menuitem", "Send again"))).toBe("It was accepted.");
		expect(reasonOf(byRole("menuitem", "Revoke"))).toBe("It is accepted.");
	});

	test("offers nothing that the operator may not do", async () => {
		await open({
			"GET /operator/me": json(
				operatorWithout("invitation:create", "invitation:resend", "invitation:revoke"),
			),
		});
		await findTexts("Pending");
		expect(allByRole("button", "Invite")).toEqual([]);
		expect(allByRole("button", MENU)).toEqual([]);
	});
});
