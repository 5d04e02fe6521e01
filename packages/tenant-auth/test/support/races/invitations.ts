import { expect } from "vitest";
import { EMAIL, type Instance, PASSWORD } from "../worlds/instance";
import { type Finish, onBoth, type RaceTrack, rowsOf, succeeded } from "./race";

async function invite({ manage }: Instance, tenantId: string): Promise<string> {
	const body = { tenantId, email: EMAIL, role: "admin" };
	return (await manage("/tenant/invitation/create", { body })).body.token;
}

/** The invitation is used, its role was given once, and no token opens it again. */
async function expectAccepted(track: RaceTrack, tenantId: string, token: string): Promise<void> {
	const { one, other } = track;
	for (const { call, manage } of [one, other]) {
		const list = await manage("/tenant/invitation/list", { query: { tenantId } });
		expect(list.body).toMatchObject([{ status: "accepted" }]);
		const again = await call("/tenant/invitation/accept", { body: { token } });
		expect(again.body.code).toBe("INVITATION_NOT_FOUND");
	}
	const [user] = await rowsOf(track, "user", tenantId);
	expect(user?.tenantRole).toBe("admin");
	const events = await rowsOf(track, "tenantAuditEvent", tenantId);
	expect(events.filter(({ action }) => action === "invitation:accept")).toHaveLength(1);
}

export async function acceptInvitation(track: RaceTrack): Promise<Finish> {
	const { one, db } = track;
	const tenantId = await one.makeTenant();
	const { cookie, body } = await one.signUp(tenantId, EMAIL);
	const verified = db.updateTable("user").set({ emailVerified: true });
	await verified.where("id", "=", body.user.id).execute();
	const token = await invite(one, tenantId);
	const answers = await onBoth(track, ({ call }) =>
		call("/tenant/invitation/accept", { body: { token }, cookie }),
	);
	expect(succeeded(answers).map(({ body }) => body.status)).toEqual(["accepted"]);
	await expectAccepted(track, tenantId, token);
	return { tenantId, answers, refusals: ["INVITATION_NOT_FOUND"], acknowledged: [EMAIL] };
}

export async function signUpInvited(track: RaceTrack): Promise<Finish> {
	const tenantId = await track.one.makeTenant();
	const token = await invite(track.one, tenantId);
	const body = { tenantId, name: "User", email: EMAIL, password: PASSWORD };
	const headers = { "x-invitation-token": token };
	const answers = await onBoth(track, ({ call }) =>
		call("/tenant/sign-up/email", { body, headers }),
	);
	expect(succeeded(answers)).toHaveLength(1);
	await expectAccepted(track, tenantId, token);
	const refusals = ["USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL", "INVITATION_NOT_FOUND"];
	return { tenantId, answers, refusals, acknowledged: [EMAIL] };
}
