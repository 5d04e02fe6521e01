import { expect } from "vitest";
import { answers, type Rows, refused } from "../matrix";
import { type Guild, get, post } from "./guild";

const notAMember = refused(403, "YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION");
const noRole = refused(400, "ROLE_NOT_FOUND");
const success = answers<Guild>(() => expect.objectContaining({ success: true }));

export const roleRows: Rows<Guild> = {
	createOrgRole: [
		post(
			"names A's organization",
			"/create-role",
			({ a }) => ({
				role: "spy",
				permission: { member: ["create"] },
				organizationId: a.organizationId,
			}),
			{ gets: notAMember, own: success },
		),
		post(
			"takes a name that only A has",
			"/create-role",
			({ a }) => ({ role: a.roleName, permission: { member: ["create"] } }),
			{
				gets: success,
				own: refused(400, "ROLE_NAME_IS_ALREADY_TAKEN"),
				knows: ({ a }) => [a.roleName],
			},
		),
	],
	deleteOrgRole: [
		post(
			"names A's in A's organization",
			"/delete-role",
			({ a }) => ({ roleId: a.roleId, organizationId: a.organizationId }),
			{ gets: notAMember, own: success },
		),
		post("names A's", "/delete-role", ({ a }) => ({ roleId: a.roleId }), {
			gets: noRole,
			own: success,
		}),
		post("names A's by its name", "/delete-role", ({ a }) => ({ roleName: a.roleName }), {
			gets: noRole,
			own: success,
		}),
	],
	listOrgRoles: [
		get(
			"names A's organization",
			"/list-roles",
			({ a }) => ({ organizationId: a.organizationId }),
			{
				gets: notAMember,
				own: answers(({ a }) => [expect.objectContaining({ id: a.roleId })]),
			},
		),
	],
	getOrgRole: [
		get(
			"names A's in A's organization",
			"/get-role",
			({ a }) => ({ roleId: a.roleId, organizationId: a.organizationId }),
			{ gets: notAMember, own: ({ body }, { a }) => expect(body.id).toBe(a.roleId) },
		),
		get("names A's", "/get-role", ({ a }) => ({ roleId: a.roleId }), {
			gets: noRole,
			own: ({ body }, { a }) => expect(body.id).toBe(a.roleId),
		}),
	],
	updateOrgRole: [
		post(
			"names A's in A's organization",
			"/update-role",
			({ a }) => ({
				roleId: a.roleId,
				organizationId: a.organizationId,
				data: { roleName: "taken" },
			}),
			{ gets: notAMember, own: success },
		),
		post(
			"names A's",
			"/update-role",
			({ a }) => ({ roleId: a.roleId, data: { roleName: "taken" } }),
			{ gets: noRole, own: success },
		),
	],
};
