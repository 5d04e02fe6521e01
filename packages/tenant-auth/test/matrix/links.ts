import { expect } from "vitest";
import { expectRefusal } from "../support/http/refusal";
import { type Attempt, forbidden, type MatrixRows, refused } from "./attempt";
import type { World } from "./world";

const notFound = refused(404, "LINK_NOT_FOUND");
const unauthorized = refused(401, "UNAUTHORIZED");

const inA = ({ a }: World) => ({ tenantId: a.tenantId });

/** B's session is not valid in A. */
const asItsUser = (path: string, more: object = {}): Attempt => ({
	tries: "does it in A as its user",
	with: (world) => world.asUserOfB(path, { body: { ...inA(world), ...more } }),
	gets: unauthorized,
});

const switchToA = (cookieOf: (world: World) => string): Attempt["with"] => {
	return (world) =>
		world.call("/tenant/link/switch", { cookie: cookieOf(world), body: inA(world) });
};

/** B's own session is read from the database, so the cookie of its cache may be new. No other one is. */
const notProven: Attempt["gets"] = (answer) => {
	expectRefusal(answer, 403, "LINK_NOT_PROVEN");
	expect(answer.cookie).toMatch(/^(better-auth\.session_data=[^;]*)?$/);
};

export const linkRows: MatrixRows = {
	startTenantLink: [asItsUser("/tenant/link/start")],
	finishTenantLink: [
		asItsUser("/tenant/link/finish", { linkCode: "x" }),
		{
			tries: "finishes A's link without its code",
			with: ({ call, a, b }) =>
				call("/tenant/link/finish", {
					cookie: `${b.cookie}; ${a.keyring}`,
					body: { linkCode: b.linkCode },
				}),
			gets: notProven,
		},
		{
			tries: "finishes A's link with a session that began before it",
			with: async ({ call, a, b, db }) => {
				const createdAt = new Date(Date.now() - 60 * 60_000).toISOString();
				await db.updateTable("session").set({ createdAt }).where("id", "=", b.sessionId).execute();
				return call("/tenant/link/finish", {
					cookie: `${b.cookie}; ${a.keyring}`,
					body: { linkCode: a.linkCode },
				});
			},
			gets: notProven,
			// There, the session is not read from the database.
			notIn: ["with Redis alone", "with Redis and the database"],
		},
	],
	listTenantLinks: [
		{
			tries: "asks for A's as its user",
			with: ({ asUserOfB, a }) =>
				asUserOfB("/tenant/link/list", { query: { tenantId: a.tenantId } }),
			gets: unauthorized,
		},
		{
			tries: "asks for its own with A's keyring",
			with: ({ call, a, b }) => call("/tenant/link/list", { cookie: `${b.cookie}; ${a.keyring}` }),
			gets: ({ body }) => expect(body).toEqual({ users: [] }),
		},
	],
	switchTenantLink: [
		{ tries: "switches to A", with: switchToA(({ b }) => b.cookie), gets: notFound },
		{
			tries: "switches to A with A's keyring",
			with: switchToA(({ a, b }) => `${b.cookie}; ${a.keyring}`),
			gets: notFound,
		},
		{
			tries: "switches to A with its own keyring",
			with: switchToA(({ b }) => `${b.cookie}; ${b.keyring}`),
			gets: notFound,
		},
	],
	endTenantLinks: [asItsUser("/tenant/link/end")],
	getTenantLinkSettings: [
		{
			tries: "asks for A's as its manager, with itself in the header",
			with: ({ asManagerOfB, a, b }) =>
				asManagerOfB("/tenant/link-settings/get", {
					query: { tenantId: a.tenantId },
					tenant: b.tenantId,
				}),
			gets: forbidden,
		},
	],
	updateTenantLinkSettings: [
		{
			tries: "forbids A's as its user",
			with: (world) =>
				world.asUserOfB("/tenant/link-settings/update", {
					body: { ...inA(world), allowed: false },
				}),
			gets: forbidden,
		},
		{
			tries: "forbids A's as its manager, with itself in the query and the header",
			with: (world) =>
				world.asManagerOfB("/tenant/link-settings/update", {
					body: { ...inA(world), allowed: false },
					query: { tenantId: world.b.tenantId },
					tenant: world.b.tenantId,
				}),
			gets: forbidden,
		},
		{
			tries: "forbids its own, with A in the query and the header",
			with: ({ asManagerOfB, a, b }) =>
				asManagerOfB("/tenant/link-settings/update", {
					body: { tenantId: b.tenantId, allowed: false },
					query: { tenantId: a.tenantId },
					tenant: a.tenantId,
				}),
			gets: ({ body }) => expect(body).toEqual({ allowed: false }),
		},
	],
};
