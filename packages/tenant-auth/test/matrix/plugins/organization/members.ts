import { expect } from "vitest";
import { aboutA, aboutB, answers, type Rows, refused } from "../matrix";
import { type Guild, get, post } from "./guild";

const noMember = refused(400, "MEMBER_NOT_FOUND");
const notAMember = refused(403, "YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION");
const addsTo = "addMember";

export const memberRows: Rows<Guild> = {
	addMember: [
		{
			tries: "adds A's user to A's organization",
			call: ({ a }) => ({
				path: addsTo,
				body: { userId: a.strangerId, organizationId: a.organizationId, role: "owner" },
				onServer: true,
			}),
			by: "anyone",
			gets: refused(400, "USER_NOT_FOUND"),
			own: ({ body }, { a }) => expect(body.userId).toBe(a.strangerId),
		},
		{
			tries: "adds its own user to A's organization",
			call: ({ a, b }) => ({
				path: addsTo,
				body: { userId: b.strangerId, organizationId: a.organizationId, role: "owner" },
				onServer: true,
			}),
			by: "anyone",
			gets: refused(400, "ORGANIZATION_NOT_FOUND"),
			own: refused(400, "USER_NOT_FOUND"),
		},
	],
	removeMember: [
		post(
			"names A's in A's organization",
			"/remove-member",
			({ a }) => ({ memberIdOrEmail: a.memberId, organizationId: a.organizationId }),
			{ gets: noMember, own: ({ body }, { a }) => expect(body.member.id).toBe(a.memberId) },
		),
		post("names A's", "/remove-member", ({ a }) => ({ memberIdOrEmail: a.memberId }), {
			gets: noMember,
			own: ({ body }, { a }) => expect(body.member.id).toBe(a.memberId),
		}),
	],
	updateMemberRole: [
		post(
			"names A's in A's organization",
			"/update-member-role",
			({ a }) => ({ memberId: a.memberId, role: "owner", organizationId: a.organizationId }),
			{ gets: noMember, own: ({ body }, { a }) => expect(body.id).toBe(a.memberId) },
		),
		post("names A's", "/update-member-role", ({ a }) => ({ memberId: a.memberId, role: "owner" }), {
			gets: noMember,
			own: ({ body }, { a }) => expect(body.id).toBe(a.memberId),
		}),
	],
	leaveOrganization: [
		post("leaves A's", "/leave", ({ a }) => ({ organizationId: a.organizationId }), {
			gets: noMember,
			own: refused(400, "YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER"),
		}),
	],
	getActiveMember: [
		get("asks, with A's user beside it", "/get-active-member", ({ a }) => ({ userId: a.userId }), {
			gets: aboutB,
			own: aboutA,
		}),
	],
	listMembers: [
		get("names A's", "/list-members", ({ a }) => ({ organizationId: a.organizationId }), {
			gets: notAMember,
			own: aboutA,
		}),
		get("names A's by its slug", "/list-members", ({ a }) => ({ organizationSlug: a.slug }), {
			gets: refused(400, "ORGANIZATION_NOT_FOUND"),
			own: aboutA,
		}),
	],
	getActiveMemberRole: [
		get(
			"names A's organization",
			"/get-active-member-role",
			({ a }) => ({ organizationId: a.organizationId }),
			{ gets: notAMember, own: answers(() => ({ role: "owner" })) },
		),
		get("names A's user", "/get-active-member-role", ({ a }) => ({ userId: a.friendId }), {
			gets: notAMember,
			own: answers(() => ({ role: "member" })),
		}),
	],
};
