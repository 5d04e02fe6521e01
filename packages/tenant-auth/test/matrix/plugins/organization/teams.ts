import { expect } from "vitest";
import { aboutA, answers, type Outcome, type Rows, refused } from "../matrix";
import { type Guild, get, post } from "./guild";

const noTeam = refused(400, "TEAM_NOT_FOUND");
const isTeam: Outcome<Guild> = ({ body }, { a }) => expect(body.id).toBe(a.teamId);
const hasTeam: Outcome<Guild> = ({ body }, { a }) =>
	expect(body.map(({ id }: { id: string }) => id)).toContain(a.teamId);

export const teamRows: Rows<Guild> = {
	createTeam: [
		post(
			"names A's organization",
			"/create-team",
			({ a }) => ({ name: "spies", organizationId: a.organizationId }),
			{
				gets: refused(403, "YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION"),
				own: ({ body }, { a }) => expect(body.organizationId).toBe(a.organizationId),
			},
		),
	],
	listOrganizationTeams: [
		get("names A's", "/list-teams", ({ a }) => ({ organizationId: a.organizationId }), {
			gets: refused(403, "YOU_ARE_NOT_ALLOWED_TO_ACCESS_THIS_ORGANIZATION"),
			own: hasTeam,
		}),
	],
	removeTeam: [
		post(
			"names A's team and organization",
			"/remove-team",
			({ a }) => ({ teamId: a.teamId, organizationId: a.organizationId }),
			{ gets: refused(403, "YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_TEAM"), own: answers() },
		),
		post("names A's team", "/remove-team", ({ a }) => ({ teamId: a.teamId }), {
			gets: noTeam,
			// Without a session there is no active organization.
			otherwise: refused(400, "NO_ACTIVE_ORGANIZATION"),
			own: answers(),
		}),
	],
	updateTeam: [
		post(
			"names A's team and organization",
			"/update-team",
			({ a }) => ({
				teamId: a.teamId,
				data: { name: "taken", organizationId: a.organizationId },
			}),
			{ gets: refused(403, "YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_TEAM"), own: isTeam },
		),
		post(
			"names A's team",
			"/update-team",
			({ a }) => ({ teamId: a.teamId, data: { name: "taken" } }),
			{ gets: noTeam, own: isTeam },
		),
	],
	setActiveTeam: [
		post("names A's", "/set-active-team", ({ a }) => ({ teamId: a.teamId }), {
			gets: noTeam,
			own: isTeam,
		}),
	],
	listUserTeams: [
		get(
			"names A's user and organization",
			"/list-user-teams",
			({ a }) => ({ userId: a.friendId, organizationId: a.organizationId }),
			{ gets: refused(403, "YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION"), own: hasTeam },
		),
		get("names A's user", "/list-user-teams", ({ a }) => ({ userId: a.friendId }), {
			gets: refused(400, "USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION"),
			own: hasTeam,
		}),
	],
	listTeamMembers: [
		get("names A's team", "/list-team-members", ({ a }) => ({ teamId: a.teamId }), {
			gets: noTeam,
			own: aboutA,
		}),
	],
	addTeamMember: [
		post(
			"adds A's user to A's team",
			"/add-team-member",
			({ a }) => ({
				teamId: a.otherTeamId,
				userId: a.friendId,
				organizationId: a.organizationId,
			}),
			{
				gets: refused(400, "USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION"),
				own: ({ body }, { a }) => expect(body.userId).toBe(a.friendId),
			},
		),
		post(
			"adds its own user to A's team",
			"/add-team-member",
			({ a, b }) => ({ teamId: a.otherTeamId, userId: b.friendId }),
			{ gets: noTeam, own: refused(400, "USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION") },
		),
		post(
			"adds A's user to its own team",
			"/add-team-member",
			({ a, b }) => ({ teamId: b.otherTeamId, userId: a.friendId }),
			{ gets: refused(400, "USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION"), own: noTeam },
		),
	],
	removeTeamMember: [
		post(
			"names A's team and user",
			"/remove-team-member",
			({ a }) => ({ teamId: a.teamId, userId: a.friendId }),
			{ gets: refused(400, "USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION"), own: answers() },
		),
		post(
			"names A's team and its own user",
			"/remove-team-member",
			({ a, b }) => ({ teamId: a.teamId, userId: b.friendId }),
			{ gets: noTeam, own: refused(400, "USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION") },
		),
	],
};
