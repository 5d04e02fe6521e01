import { expect } from "vitest";
import { type Attempt, forbidden, type MatrixRows, refused } from "./attempt";
import type { World } from "./world";

const unknown = refused(404, "USER_NOT_FOUND");

const read = (
	path: string,
	more: (world: World) => Record<string, string> = () => ({}),
): Attempt[] => [
	{
		tries: "asks for A's as its user",
		with: (world) =>
			world.asUserOfB(path, { query: { tenantId: world.a.tenantId, ...more(world) } }),
		gets: forbidden,
	},
	{
		tries: "asks for its own as its user",
		with: (world) =>
			world.asUserOfB(path, { query: { tenantId: world.b.tenantId, ...more(world) } }),
		gets: forbidden,
	},
	{
		tries: "asks for A's as its manager, with itself in the header",
		with: (world) =>
			world.asManagerOfB(path, {
				query: { tenantId: world.a.tenantId, ...more(world) },
				tenant: world.b.tenantId,
			}),
		gets: forbidden,
	},
];

const ofUser = (world: World) => ({ userId: world.a.userId });

const change = (path: string, more: (world: World) => object = ofUser): Attempt[] => [
	{
		tries: "does it to A's as its user",
		with: (world) =>
			world.asUserOfB(path, {
				body: { tenantId: world.a.tenantId, ...more(world) },
			}),
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
	{
		tries: "does it to A's as its manager, as if they were its own",
		with: (world) =>
			world.asManagerOfB(path, {
				body: { tenantId: world.b.tenantId, ...more(world) },
				tenant: world.a.tenantId,
			}),
		gets: unknown,
	},
];

const newUser = { name: "New", email: "new@example.com", password: "correct horse battery" };

/** A's users and sessions. */
export const userRows: MatrixRows = {
	listTenantUsers: [
		...read("/tenant/user/list"),
		{
			tries: "lists its own, with A in the header, and searches for an address that both have",
			with: ({ asManagerOfB, a, b }) =>
				asManagerOfB("/tenant/user/list", {
					query: { tenantId: b.tenantId, search: a.email },
					tenant: a.tenantId,
				}),
			gets: ({ body, headers }, { b }) => {
				expect(body).toEqual([expect.objectContaining({ id: b.userId })]);
				expect(headers.get("x-total-count")).toBe("1");
			},
		},
		{
			tries: "asks for A's user by id in its own list",
			with: ({ asManagerOfB, a, b }) =>
				asManagerOfB("/tenant/user/list", { query: { tenantId: b.tenantId, ids: a.userId } }),
			gets: ({ status, body }) => expect([status, body]).toEqual([200, []]),
		},
	],
	getTenantUser: [
		...read("/tenant/user/get", ({ a }) => ({ userId: a.userId })),
		{
			tries: "asks for A's user as if it were its own",
			with: ({ asManagerOfB, a, b }) =>
				asManagerOfB("/tenant/user/get", {
					query: { tenantId: b.tenantId, userId: a.userId },
					tenant: a.tenantId,
				}),
			gets: unknown,
		},
	],
	createTenantUser: [
		{
			tries: "creates one in A as its user",
			with: ({ asUserOfB, a }) =>
				asUserOfB("/tenant/user/create", { body: { tenantId: a.tenantId, ...newUser } }),
			gets: forbidden,
		},
		{
			tries: "creates one in A as its manager, with itself in the query and the header",
			with: ({ asManagerOfB, a, b }) =>
				asManagerOfB("/tenant/user/create", {
					body: { tenantId: a.tenantId, ...newUser },
					query: { tenantId: b.tenantId },
					tenant: b.tenantId,
				}),
			gets: forbidden,
		},
		{
			tries: "creates an owner of its own, with A in the header",
			with: ({ asManagerOfB, a, b }) =>
				asManagerOfB("/tenant/user/create", {
					body: { tenantId: b.tenantId, ...newUser, role: "owner" },
					tenant: a.tenantId,
				}),
			gets: ({ body }, { b }) =>
				expect(body).toMatchObject({ tenantId: b.tenantId, tenantRole: "owner" }),
		},
	],
	updateTenantUser: change("/tenant/user/update", (world) => ({
		...ofUser(world),
		name: "Taken over",
		role: "owner",
	})),
	disableTenantUser: change("/tenant/user/disable"),
	enableTenantUser: change("/tenant/user/enable"),
	impersonateTenantUser: change("/tenant/user/impersonate", (world) => ({
		...ofUser(world),
		reason: "to look around",
		setCookie: true,
	})),
	deleteTenantUser: change("/tenant/user/delete"),
	revokeTenantUserSessions: change("/tenant/user/revoke-sessions"),
	sendTenantPasswordReset: change("/tenant/user/send-password-reset"),
	removeTenantSecondFactor: change("/tenant/user/remove-second-factor"),
	removeTenantPasskeys: change("/tenant/user/remove-passkeys"),
	moveTenantUsers: [
		...change("/tenant/user/move", ({ a }) => ({ userIds: [a.userId] })).slice(0, 2),
		{
			tries: "takes A's user as its manager",
			with: ({ asManagerOfB, a, b }) =>
				asManagerOfB("/tenant/user/move", {
					body: { tenantId: b.tenantId, userIds: [a.userId] },
				}),
			gets: forbidden,
		},
	],
	importTenantUsers: [
		...change("/tenant/user/import", ({ a }) => ({
			users: [{ externalId: "mallory", email: a.email, role: "owner" }],
		})).slice(0, 2),
		{
			tries: "imports into A as its manager, with itself in the header, by lines",
			with: ({ asManagerOfB, a, b }) =>
				asManagerOfB("/tenant/user/import", {
					body: '{"externalId":"mallory","email":"mallory@example.com"}',
					headers: { "content-type": "application/x-ndjson" },
					query: { tenantId: a.tenantId },
					tenant: b.tenantId,
				}),
			gets: forbidden,
		},
		{
			tries: "imports a user with an email that both have into itself, with A in the header",
			with: ({ asManagerOfB, a, b }) =>
				asManagerOfB("/tenant/user/import", {
					body: { tenantId: b.tenantId, users: [{ externalId: "ada", email: a.email }] },
					tenant: a.tenantId,
				}),
			gets: ({ body }) =>
				expect(body).toMatchObject({ failed: 1, results: [{ code: "EMAIL_TAKEN", userId: null }] }),
		},
	],
	listTenantSessions: [
		...read("/tenant/session/list"),
		{
			tries: "lists its own, with A in the header, and searches for an address that both have",
			with: ({ asManagerOfB, a, b }) =>
				asManagerOfB("/tenant/session/list", {
					query: { tenantId: b.tenantId, search: a.email },
					tenant: a.tenantId,
				}),
			// They are only found by their tokens there.
			notIn: ["with Redis alone"],
			gets: ({ body }, { b }) =>
				expect(body).toEqual([expect.objectContaining({ id: b.sessionId })]),
		},
	],
	revokeTenantSession: [
		...change("/tenant/session/revoke", (world) => ({
			...ofUser(world),
			sessionId: world.a.sessionId,
		})),
		{
			tries: "ends A's session as its own user's",
			with: ({ asManagerOfB, a, b }) =>
				asManagerOfB("/tenant/session/revoke", {
					body: { tenantId: b.tenantId, userId: b.userId, sessionId: a.sessionId },
				}),
			gets: refused(404, "SESSION_NOT_FOUND"),
		},
	],
};
