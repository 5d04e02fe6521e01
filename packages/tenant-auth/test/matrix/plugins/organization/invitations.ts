import { expect } from "vitest";
import { answers, type Outcome, type Rows, refused } from "../matrix";
import { type Guild, get, post } from "./guild";

const none = refused(400, "INVITATION_NOT_FOUND");
const invites =
	(name: "a" | "b"): Outcome<Guild> =>
	({ body }, world) =>
		expect(body.inviterId).toBe(world[name].userId);
const ids = ({ body }: { body: { id: string }[] }) => body.map(({ id }) => id);

export const invitationRows: Rows<Guild> = {
	createInvitation: [
		post(
			"invites to A's organization",
			"/invite-member",
			({ a }) => ({
				email: "spy@example.com",
				role: "owner",
				organizationId: a.organizationId,
			}),
			{ gets: refused(400, "MEMBER_NOT_FOUND"), own: invites("a") },
		),
		post(
			"invites to A's team",
			"/invite-member",
			({ a }) => ({ email: "spy@example.com", role: "member", teamId: a.teamId }),
			{ gets: refused(400, "TEAM_NOT_FOUND"), own: invites("a") },
		),
	],
	cancelInvitation: [
		post("cancels A's", "/cancel-invitation", ({ a }) => ({ invitationId: a.invitationId }), {
			gets: none,
			own: ({ body }) => expect(body.status).toBe("canceled"),
		}),
	],
	acceptInvitation: [
		post(
			"accepts one to the same address in A",
			"/accept-invitation",
			({ a }) => ({ invitationId: a.invitedId }),
			{ gets: none, own: ({ body }, { a }) => expect(body.member.userId).toBe(a.userId) },
		),
	],
	rejectInvitation: [
		post(
			"rejects one to the same address in A",
			"/reject-invitation",
			({ a }) => ({ invitationId: a.invitedId }),
			{ gets: refused(400), own: ({ body }) => expect(body.invitation.status).toBe("rejected") },
		),
	],
	getInvitation: [
		get("reads one to the same address in A", "/get-invitation", ({ a }) => ({ id: a.invitedId }), {
			gets: refused(400),
			own: ({ body }, { a }) => expect(body.id).toBe(a.invitedId),
		}),
	],
	listInvitations: [
		get("names A's", "/list-invitations", ({ a }) => ({ organizationId: a.organizationId }), {
			gets: refused(403),
			own: (answer, { a }) => expect(ids(answer)).toContain(a.invitationId),
		}),
	],
	listUserInvitations: [
		get("lists those to an address that A has too", "/list-user-invitations", () => ({}), {
			gets: (answer, { b }) => expect(ids(answer)).toEqual([b.invitedId]),
			own: (answer, { a }) => expect(ids(answer)).toEqual([a.invitedId]),
			otherwise: refused(400),
		}),
		{
			tries: "has the host list those to an address that A has too",
			call: () => ({ path: "listUserInvitations", onServer: true }),
			by: "user",
			gets: answers(({ b }) => [expect.objectContaining({ id: b.invitedId })]),
			otherwise: refused(400),
			own: answers(({ a }) => [expect.objectContaining({ id: a.invitedId })]),
		},
	],
};
