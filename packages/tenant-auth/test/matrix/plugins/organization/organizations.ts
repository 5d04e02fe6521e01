import { expect } from "vitest";
import { aboutA, aboutB, answers, type Rows, refused } from "../matrix";
import { type Guild, get, post } from "./guild";

const notAMember = refused(400, "USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION");
const notFound = refused(400, "ORGANIZATION_NOT_FOUND");
const about = (name: "a" | "b") =>
	answers<Guild>((world) => expect.objectContaining({ id: world[name].organizationId }));

export const organizationRows: Rows<Guild> = {
	createOrganization: [
		post(
			"takes a slug that only A has, for A's user",
			"/create",
			({ a }) => ({ name: "New", slug: a.slug, userId: a.userId }),
			{
				gets: aboutB,
				own: refused(400, "ORGANIZATION_ALREADY_EXISTS"),
				knows: ({ a }) => [a.slug],
			},
		),
	],
	updateOrganization: [
		post(
			"names A's",
			"/update",
			({ a }) => ({ organizationId: a.organizationId, data: { name: "taken" } }),
			{ gets: notAMember, own: about("a") },
		),
	],
	deleteOrganization: [
		post("names A's", "/delete", ({ a }) => ({ organizationId: a.organizationId }), {
			gets: notAMember,
			own: about("a"),
		}),
	],
	setActiveOrganization: [
		post("names A's", "/set-active", ({ a }) => ({ organizationId: a.organizationId }), {
			gets: refused(403, "USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION"),
			own: about("a"),
		}),
		post("names A's by its slug", "/set-active", ({ a }) => ({ organizationSlug: a.slug }), {
			gets: notFound,
			own: about("a"),
		}),
	],
	getOrganization: [
		get("names A's", "/get-organization", ({ a }) => ({ organizationId: a.organizationId }), {
			gets: notFound,
			own: about("a"),
		}),
		get("names A's by its slug", "/get-organization", ({ a }) => ({ organizationSlug: a.slug }), {
			gets: notFound,
			own: about("a"),
		}),
	],
	getFullOrganization: [
		get("names A's", "/get-full-organization", ({ a }) => ({ organizationId: a.organizationId }), {
			gets: notFound,
			own: aboutA,
		}),
		get(
			"names A's by its slug",
			"/get-full-organization",
			({ a }) => ({ organizationSlug: a.slug }),
			{ gets: notFound, own: aboutA },
		),
	],
	listOrganizations: [
		get("lists, with A's user beside it", "/list", ({ a }) => ({ userId: a.userId }), {
			gets: answers(({ b }) => [expect.objectContaining({ id: b.organizationId })]),
			own: answers(({ a }) => [expect.objectContaining({ id: a.organizationId })]),
		}),
	],
	checkOrganizationSlug: [
		post("asks for a slug that only A has", "/check-slug", ({ a }) => ({ slug: a.slug }), {
			gets: answers(() => ({ status: true })),
			own: refused(400, "ORGANIZATION_SLUG_ALREADY_TAKEN"),
		}),
	],
	hasPermission: [
		post(
			"asks about A's",
			"/has-permission",
			({ a }) => ({ organizationId: a.organizationId, permissions: { member: ["create"] } }),
			{
				gets: refused(401, "USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION"),
				own: answers(() => ({ success: true, error: null })),
			},
		),
	],
};
