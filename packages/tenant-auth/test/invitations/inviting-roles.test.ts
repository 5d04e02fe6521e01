import { describe, expect, it } from "vitest";
import { expectRefusal } from "../support/http/refusal";
import { makeInvitingApp } from "../support/worlds/invitations";

const ADA = "ada@corp.com";
const BOB = "bob@corp.com";

/** Ada has a role in the tenant, and no other right to manage. */
async function makeApp(role: string | null) {
	const app = await makeInvitingApp();
	const tenantId = await app.makeTenant();
	const { cookie } = await app.signUp(tenantId, ADA);
	await app.changeUser(tenantId, ADA, { tenantRole: role });
	const asAda = (path: string, body: object) =>
		app.call(`/tenant/invitation/${path}`, { cookie, body: { tenantId, ...body } });
	return { ...app, tenantId, asAda };
}

describe("a user who invites by their role", () => {
	it.each([
		["owner", "owner", 200],
		["owner", "admin", 200],
		["admin", "admin", 200],
		["admin", "owner", 403],
		[null, "member", 403],
	])("who is %s invites to the role %s: %i", async (own, role, status) => {
		const { asAda, findUser, tenantId } = await makeApp(own);
		const answer = await asAda("create", { email: BOB, role });
		expect(answer.status).toBe(status);
		const ada = await findUser(tenantId, ADA);
		if (status === 200) expect(answer.body.invitedBy).toBe(ada?.id);
	});

	it("cannot get the token of an invitation to a higher role", async () => {
		const { asAda, invite, tenantId } = await makeApp("admin");
		const { id } = await invite(tenantId, { email: BOB, role: "owner" });
		expectRefusal(await asAda("resend", { invitationId: id }), 403, "ROLE_NOT_ALLOWED");
	});

	it("cannot let anybody in after they have lost the role", async () => {
		const { asAda, accept, changeUser, tenantId } = await makeApp("admin");
		const { body } = await asAda("create", { email: BOB, role: "admin" });
		await changeUser(tenantId, ADA, { tenantRole: null });
		expectRefusal(await accept(body.token), 404, "INVITATION_NOT_FOUND");
	});
});
