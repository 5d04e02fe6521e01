import { expect } from "vitest";
import { type Attempt, forbidden, type MatrixRows, refused } from "./attempt";

const switches = (path: string): Attempt[] => [
	{
		tries: "does it to A as its user",
		with: ({ asUserOfB, a }) => asUserOfB(path, { body: { tenantId: a.tenantId } }),
		gets: forbidden,
	},
	{
		tries: "does it to itself as its user",
		with: ({ asUserOfB, b }) => asUserOfB(path, { body: { tenantId: b.tenantId } }),
		gets: forbidden,
	},
	{
		tries: "does it to A as its manager, with itself in the query and the header",
		with: ({ asManagerOfB, a, b }) =>
			asManagerOfB(path, {
				body: { tenantId: a.tenantId },
				query: { tenantId: b.tenantId },
				tenant: b.tenantId,
			}),
		gets: forbidden,
	},
	{
		tries: "does it to itself as its manager, with A in the query and the header",
		with: ({ asManagerOfB, a, b }) =>
			asManagerOfB(path, {
				body: { tenantId: b.tenantId },
				query: { tenantId: a.tenantId },
				tenant: a.tenantId,
			}),
		gets: ({ body }, { b }) => expect(body.id).toBe(b.tenantId),
	},
];

/** Suspending A, reading what was done to it, and what its sign-in page tells. */
export const operationRows: MatrixRows = {
	suspendTenant: switches("/tenant/suspend"),
	resumeTenant: switches("/tenant/resume"),
	listTenantAuditEvents: [
		{
			tries: "reads A's as its user",
			with: ({ asUserOfB, a }) =>
				asUserOfB("/tenant/audit/list", { query: { tenantId: a.tenantId } }),
			gets: forbidden,
		},
		{
			tries: "reads A's as its manager, with itself in the header",
			with: ({ asManagerOfB, a, b }) =>
				asManagerOfB("/tenant/audit/list", {
					query: { tenantId: a.tenantId },
					tenant: b.tenantId,
				}),
			gets: forbidden,
		},
		{
			tries: "reads everybody's as its manager, with itself in the header",
			with: ({ asManagerOfB, b }) => asManagerOfB("/tenant/audit/list", { tenant: b.tenantId }),
			gets: forbidden,
		},
		{
			tries: "reads its own as its manager, and asks for what was done to A's provider",
			with: ({ asManagerOfB, a, b }) =>
				asManagerOfB("/tenant/audit/list", {
					query: { tenantId: b.tenantId, targetId: "github" },
					tenant: a.tenantId,
				}),
			gets: ({ body }) => expect(body).toEqual([]),
		},
	],
	getTenantPolicy: [
		{
			tries: "reads A's as its user",
			with: ({ asUserOfB, a }) =>
				asUserOfB("/tenant/policy/get", { query: { tenantId: a.tenantId } }),
			gets: forbidden,
		},
		{
			tries: "reads A's as its manager, with itself in the header",
			with: ({ asManagerOfB, a, b }) =>
				asManagerOfB("/tenant/policy/get", {
					query: { tenantId: a.tenantId },
					tenant: b.tenantId,
				}),
			gets: forbidden,
		},
	],
	updateTenantPolicy: [
		{
			tries: "opens A as its user",
			with: ({ asUserOfB, a }) =>
				asUserOfB("/tenant/policy/update", {
					body: { tenantId: a.tenantId, signUp: { mode: "open" } },
				}),
			gets: forbidden,
		},
		{
			tries: "closes A as its manager, with itself in the query and the header",
			with: ({ asManagerOfB, a, b }) =>
				asManagerOfB("/tenant/policy/update", {
					body: { tenantId: a.tenantId, signUp: { mode: "closed" } },
					query: { tenantId: b.tenantId },
					tenant: b.tenantId,
				}),
			gets: forbidden,
		},
		{
			tries: "closes itself as its manager, with A in the query and the header",
			with: ({ asManagerOfB, a, b }) =>
				asManagerOfB("/tenant/policy/update", {
					body: { tenantId: b.tenantId, signUp: { mode: "closed" } },
					query: { tenantId: a.tenantId },
					tenant: a.tenantId,
				}),
			gets: ({ body }) => expect(body.signUp.mode).toBe("closed"),
		},
	],
	effectiveTenantOAuthConfigs: [
		{
			tries: "asks for A's as its user",
			with: ({ asUserOfB, a }) =>
				asUserOfB("/tenant/oauth-config/effective", { query: { tenantId: a.tenantId } }),
			gets: forbidden,
		},
		{
			tries: "asks for A's as its manager, with itself in the header",
			with: ({ asManagerOfB, a, b }) =>
				asManagerOfB("/tenant/oauth-config/effective", {
					query: { tenantId: a.tenantId },
					tenant: b.tenantId,
				}),
			gets: forbidden,
		},
		{
			tries: "asks for its own, with A in the header",
			with: ({ asManagerOfB, a, b }) =>
				asManagerOfB("/tenant/oauth-config/effective", {
					query: { tenantId: b.tenantId },
					tenant: a.tenantId,
				}),
			gets: ({ body }) => {
				const github = body.find(
					({ providerId }: { providerId: string }) => providerId === "github",
				);
				expect(github).toMatchObject({ source: "none", config: "absent" });
			},
		},
	],
	eraseTenantAuditEvents: [
		{
			tries: "erases A's as its user",
			with: ({ asUserOfB, a }) =>
				asUserOfB("/tenant/audit/erase", { body: { tenantId: a.tenantId } }),
			gets: forbidden,
		},
		{
			tries: "erases A's as its manager, with itself in the query and the header",
			with: ({ asManagerOfB, a, b }) =>
				asManagerOfB("/tenant/audit/erase", {
					body: { tenantId: a.tenantId },
					query: { tenantId: b.tenantId },
					tenant: b.tenantId,
				}),
			gets: forbidden,
		},
		{
			tries: "erases its own as its manager while it exists, to hide something",
			with: ({ asManagerOfB, b }) =>
				asManagerOfB("/tenant/audit/erase", { body: { tenantId: b.tenantId } }),
			gets: refused(409, "TENANT_NOT_DELETED"),
		},
	],
	currentTenant: [
		{
			tries: "asks for its own",
			with: ({ asUserOfB }) => asUserOfB("/tenant/current"),
			gets: ({ body }, { b }) =>
				expect(body).toEqual({ id: b.tenantId, name: b.slug, slug: b.slug, branding: {} }),
		},
		{
			tries: "asks for A's with its own session, by the header",
			with: ({ asUserOfB, a }) => asUserOfB("/tenant/current", { tenant: a.tenantId }),
			gets: refused(401, "UNAUTHORIZED"),
		},
		{
			tries: "asks for A's with its own session, by the query",
			with: ({ asUserOfB, a }) => asUserOfB("/tenant/current", { query: { tenantId: a.tenantId } }),
			gets: refused(401, "UNAUTHORIZED"),
		},
		{
			tries: "asks for A's without a session",
			with: ({ call, a }) => call("/tenant/current", { tenant: a.tenantId }),
			gets: refused(401, "UNAUTHORIZED"),
		},
	],
	tenantPermissions: [
		{
			tries: "asks for its own, as a member",
			with: ({ asUserOfB }) => asUserOfB("/tenant/permissions"),
			gets: ({ body }) => expect(body).toEqual({ role: "member", actions: [], roles: [] }),
		},
		{
			tries: "asks for those in A with its own session, by the header",
			with: ({ asUserOfB, a }) => asUserOfB("/tenant/permissions", { tenant: a.tenantId }),
			gets: refused(401, "UNAUTHORIZED"),
		},
		{
			tries: "asks for those in A with its own session, by the query",
			with: ({ asUserOfB, a }) =>
				asUserOfB("/tenant/permissions", { query: { tenantId: a.tenantId } }),
			gets: refused(401, "UNAUTHORIZED"),
		},
		{
			tries: "asks for those in A without a session",
			with: ({ call, a }) => call("/tenant/permissions", { tenant: a.tenantId }),
			gets: refused(401, "UNAUTHORIZED"),
		},
	],
	tenantLoginOptions: [
		{
			tries: "asks for its own, with A in the header",
			with: ({ asUserOfB, a, b }) =>
				asUserOfB("/tenant/login-options", {
					query: { tenantId: b.tenantId },
					tenant: a.tenantId,
				}),
			gets: ({ body }, { b }) =>
				expect(body).toMatchObject({ tenant: { id: b.tenantId }, providers: ["google"] }),
		},
		{
			tries: "asks for A's, which are anybody's to see",
			with: ({ asUserOfB, a }) => asUserOfB("/tenant/login-options", { query: { slug: a.slug } }),
			gets: ({ body }, { a }) => {
				const told = ["tenant", "branding", "email", "password", "providers", "methods"];
				expect(Object.keys(body)).toEqual([...told, "signUp", "secondFactorRequired"]);
				expect(body.tenant).toEqual({ id: a.tenantId, name: a.slug, slug: a.slug });
			},
		},
	],
};
