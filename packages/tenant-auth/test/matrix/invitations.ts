import { expect } from "vitest";
import { type Attempt, forbidden, type MatrixRows, refused } from "./attempt";
import { GUEST, type World } from "./world";

const notFound = refused(404, "INVITATION_NOT_FOUND");

const guest = { email: GUEST, role: "owner" };
const ofA = ({ a }: World) => ({ invitationId: a.invitationId });

/** What B does to A's with a management endpoint. */
const manages = (path: string, more: (world: World) => object): Attempt[] => [
	{
		tries: "does it to A's as its user",
		with: (world) =>
			world.asUserOfB(path, { body: { tenantId: world.a.tenantId, ...more(world) } }),
		gets: forbidden,
	},
	{
		tries: "does it to A's as its manager, with itself in the query and the header",
		with: (world) =>
			world.asManagerOfB(path, {
				body: { tenantId: world.a.tenantId, ...more(world) },
				query: { tenantId: world.b.tenantId },
				tenant: world.b.tenantId,
			}),
		gets: forbidden,
	},
];

const asItsOwn = (path: string): Attempt => ({
	tries: "does it to A's as its manager, as if it were its own",
	with: (world) =>
		world.asManagerOfB(path, {
			body: { tenantId: world.b.tenantId, ...ofA(world) },
			tenant: world.a.tenantId,
		}),
	gets: notFound,
});

/** The link sends B to the error page, without a session. */
const noSession: Attempt["gets"] = ({ status, headers, cookie }) => {
	expect([status, cookie]).toEqual([302, ""]);
	const { searchParams } = new URL(String(headers.get("location")));
	expect(searchParams.get("error")).toBe("SIGN_IN_LINK_INVALID");
};

/** A's invitations, and the link that signs in A's owner. */
export const invitationRows: MatrixRows = {
	createTenantInvitation: [
		...manages("/tenant/invitation/create", () => guest),
		{
			tries: "invites somebody whom A has invited, with A in the query and the header",
			with: ({ asManagerOfB, a, b }) =>
				asManagerOfB("/tenant/invitation/create", {
					body: { tenantId: b.tenantId, ...guest },
					query: { tenantId: a.tenantId },
					tenant: a.tenantId,
				}),
			gets: ({ body }, { b }) =>
				expect(body).toMatchObject({ id: b.invitationId, tenantId: b.tenantId }),
		},
	],
	listTenantInvitations: [
		{
			tries: "asks for A's as its manager, with itself in the header",
			with: ({ asManagerOfB, a, b }) =>
				asManagerOfB("/tenant/invitation/list", {
					query: { tenantId: a.tenantId },
					tenant: b.tenantId,
				}),
			gets: forbidden,
		},
		{
			tries: "asks for its own, with A in the header",
			with: ({ asManagerOfB, a, b }) =>
				asManagerOfB("/tenant/invitation/list", {
					query: { tenantId: b.tenantId },
					tenant: a.tenantId,
				}),
			gets: ({ body }, { b }) =>
				expect(body).toEqual([expect.objectContaining({ id: b.invitationId })]),
		},
	],
	resendTenantInvitation: [
		...manages("/tenant/invitation/resend", ofA),
		asItsOwn("/tenant/invitation/resend"),
	],
	revokeTenantInvitation: [
		...manages("/tenant/invitation/revoke", ofA),
		asItsOwn("/tenant/invitation/revoke"),
	],
	getTenantInvitation: [
		{
			tries: "asks for A's by its token, with itself in the query",
			with: ({ asUserOfB, a, b }) =>
				asUserOfB("/tenant/invitation/get", {
					query: { token: a.invitationToken, tenantId: b.tenantId },
				}),
			gets: notFound,
		},
		{
			tries: "asks for A's by its token, with itself in the header",
			with: ({ call, a, b }) =>
				call("/tenant/invitation/get", {
					query: { token: a.invitationToken },
					tenant: b.tenantId,
				}),
			gets: notFound,
		},
	],
	acceptTenantInvitation: [
		{
			tries: "accepts A's in itself",
			with: ({ asUserOfB, a, b }) =>
				asUserOfB("/tenant/invitation/accept", {
					body: { token: a.invitationToken, tenantId: b.tenantId },
				}),
			gets: notFound,
		},
		{
			tries: "accepts A's with its own session",
			with: ({ asUserOfB, a }) =>
				asUserOfB("/tenant/invitation/accept", { body: { token: a.invitationToken } }),
			gets: ({ body }) => expect(body.status).toBe("sign-in-required"),
		},
		{
			tries: "signs up in itself with A's token",
			with: ({ call, a, b }) =>
				call("/tenant/sign-up/email", {
					body: { tenantId: b.tenantId, name: "Guest", email: GUEST, password: "my password" },
					headers: { "x-invitation-token": a.invitationToken },
				}),
			gets: ({ status, body }) => {
				expect(status).toBe(200);
				expect(body.user.tenantRole ?? null).toBeNull();
			},
		},
	],
	createTenantSignInLink: [
		...manages("/tenant/user/sign-in-link", ({ a }) => ({ userId: a.userId, reason: "mine" })),
		{
			tries: "makes one for its own owner as its manager: only the app can",
			with: ({ asManagerOfB, b }) =>
				asManagerOfB("/tenant/user/sign-in-link", {
					body: { tenantId: b.tenantId, userId: b.userId, reason: "mine" },
				}),
			gets: forbidden,
		},
	],
	openTenantSignInLink: [
		{
			tries: "opens A's with itself in the header",
			with: ({ call, a, b }) =>
				call("/tenant/sign-in-link", { query: { token: a.signInToken }, tenant: b.tenantId }),
			gets: noSession,
		},
		{
			tries: "opens A's with its own session, and itself in the query",
			with: ({ asUserOfB, a, b }) =>
				asUserOfB("/tenant/sign-in-link", {
					query: { token: a.signInToken, tenantId: b.tenantId },
				}),
			gets: noSession,
		},
	],
};
