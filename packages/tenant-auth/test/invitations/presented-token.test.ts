import { tenantAccess } from "better-auth-tenant";
import { describe, expect, it } from "vitest";
import { expectRefusal } from "../support/http/refusal";
import { cheapPasswords } from "../support/worlds/cheap-passwords";
import { makeInvitingApp } from "../support/worlds/invitations";

const BOB = "bob@corp.com";
const withToken = (token: string) => ({ headers: { "x-invitation-token": token } });

describe("in a tenant by invitation, a token that is not valid", () => {
	it.each(["invite", "closed"])("does not tell who is a user, if it is %s", async (mode) => {
		const app = await makeInvitingApp({
			emailAndPassword: { ...cheapPasswords, enabled: true, requireEmailVerification: true },
		});
		const tenantId = await app.makeTenant();
		await app.signUp(tenantId, BOB);
		const policy = { tenantId, signUp: { mode } };
		await app.manage("/tenant/policy/update", { body: policy });
		const code = mode === "invite" ? "INVITATION_REQUIRED" : "SIGN_UP_NOT_ALLOWED";
		for (const email of [BOB, "nobody@corp.com"]) {
			expectRefusal(await app.signUpWith(tenantId, email, withToken("x")), 403, code);
			const cookie = "better-auth.tenant_invitation=x.y";
			expectRefusal(await app.signUpWith(tenantId, email, { cookie }), 403, code);
		}
	});

	it("does not admit anybody after it was revoked between two steps of a sign-up", async () => {
		const app = await makeInvitingApp();
		const tenantId = await app.makeTenant();
		const policy = { tenantId, signUp: { mode: "invite" } };
		await app.manage("/tenant/policy/update", { body: policy });
		const { token } = await app.invite(tenantId, { email: BOB });
		const { database } = app;
		const prepare = database.prepare.bind(database);
		// The sign-up has read the invitation. The revocation comes before it is used up.
		database.prepare = (sql: string) => {
			if (sql.startsWith('update "tenantInvitation"')) {
				prepare(`update "tenantInvitation" set "revokedAt" = '2026-01-01T00:00:00.000Z'`).run();
			}
			return prepare(sql);
		};
		const answer = await app.signUpWith(tenantId, BOB, withToken(token));
		expectRefusal(answer, 403, "INVITATION_REQUIRED");
		expect(await app.findUser(tenantId, BOB)).toBeNull();
	});
});

/** Roles of the app, from one that permits little to one that permits much. */
const roles = {
	reader: tenantAccess.newRole({ user: ["list"] }),
	guest: tenantAccess.newRole({}),
	manager: tenantAccess.newRole({
		user: ["list", "update", "impersonate"],
		invitation: ["create", "list"],
	}),
};

async function makeRoles() {
	const app = await makeInvitingApp({ tenants: { roles } });
	const tenantId = await app.makeTenant();
	const add = async (email: string, tenantRole: string | null) => {
		const { cookie } = await app.signUp(tenantId, email);
		await app.changeUser(tenantId, email, { tenantRole, emailVerified: true });
		return cookie;
	};
	return { ...app, tenantId, add };
}

describe("with roles of the app", () => {
	it("an invitation ends when its inviter gets a role that permits less", async () => {
		const { call, accept, add, changeUser, tenantId } = await makeRoles();
		const cookie = await add("mia@corp.com", "manager");
		const body = { tenantId, email: BOB, role: "manager" };
		const { body: sent } = await call("/tenant/invitation/create", { cookie, body });
		expect((await accept(sent.token)).status).toBe(200);
		await changeUser(tenantId, "mia@corp.com", { tenantRole: "reader" });
		expectRefusal(await accept(sent.token), 404, "INVITATION_NOT_FOUND");
		await changeUser(tenantId, "mia@corp.com", { tenantRole: "owner" });
		expect((await accept(sent.token)).status).toBe(200);
	});

	it.each([
		["manager", "admin", "manager"],
		["manager", "reader", "manager"],
		["reader", "manager", "manager"],
		["reader", "admin", "admin"],
		["guest", "reader", "reader"],
		[null, "guest", "guest"],
		[null, "reader", "reader"],
		["owner", "manager", "owner"],
		["admin", "owner", "owner"],
	])("a user who is %s and is invited as %s is %s", async (own, role, expected) => {
		const { accept, add, invite, findUser, tenantId } = await makeRoles();
		const cookie = await add(BOB, own);
		const { token } = await invite(tenantId, { email: BOB, role });
		expect((await accept(token, { cookie })).body.status).toBe("accepted");
		expect((await findUser(tenantId, BOB))?.tenantRole).toBe(expected);
	});
});
