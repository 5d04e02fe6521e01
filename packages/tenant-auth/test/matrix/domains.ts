import { expect } from "vitest";
import { type Attempt, forbidden, type MatrixRows, refused } from "./attempt";

/** Calls that name a domain of A. */
const withDomainOfA = (path: string, change: object = {}): Attempt[] => [
	{
		tries: "does it to A's domain as its user",
		with: ({ asUserOfB, a }) =>
			asUserOfB(path, { body: { tenantId: a.tenantId, domainId: a.domainId, ...change } }),
		gets: forbidden,
	},
	{
		tries: "does it to A's domain as its manager, with itself in the query and the header",
		with: ({ asManagerOfB, a, b }) =>
			asManagerOfB(path, {
				body: { tenantId: a.tenantId, domainId: a.domainId, ...change },
				query: { tenantId: b.tenantId },
				tenant: b.tenantId,
			}),
		gets: forbidden,
	},
	{
		tries: "does it to A's domain as its manager, as if it were its own",
		with: ({ asManagerOfB, a, b }) =>
			asManagerOfB(path, {
				body: { tenantId: b.tenantId, domainId: a.domainId, ...change },
				tenant: a.tenantId,
			}),
		gets: refused(404, "DOMAIN_NOT_FOUND"),
	},
];

/** Taking domains from A, and finding out which ones it has. */
export const domainRows: MatrixRows = {
	addTenantDomain: [
		{
			tries: "adds a domain to A as its user",
			with: ({ asUserOfB, a }) =>
				asUserOfB("/tenant/domain/add", {
					body: { tenantId: a.tenantId, host: "evil.example.com", purpose: "login" },
				}),
			gets: forbidden,
		},
		{
			tries: "adds a domain to A as its manager, with itself in the query and the header",
			with: ({ asManagerOfB, a, b }) =>
				asManagerOfB("/tenant/domain/add", {
					body: { tenantId: a.tenantId, host: "evil.example.com", purpose: "login" },
					query: { tenantId: b.tenantId },
					tenant: b.tenantId,
				}),
			gets: forbidden,
		},
		{
			tries: "adds the email domain that A has verified to itself, which proves nothing",
			with: ({ asManagerOfB, a, b }) =>
				asManagerOfB("/tenant/domain/add", {
					body: { tenantId: b.tenantId, host: a.emailDomain, purpose: "email" },
					tenant: a.tenantId,
				}),
			gets: ({ body }, { b }) =>
				expect(body).toMatchObject({ tenantId: b.tenantId, state: "pending", verifiedAt: null }),
		},
	],
	listTenantDomains: [
		{
			tries: "lists A's as its user",
			with: ({ asUserOfB, a }) =>
				asUserOfB("/tenant/domain/list", { query: { tenantId: a.tenantId } }),
			gets: forbidden,
		},
		{
			tries: "lists A's as its manager, with itself in the header",
			with: ({ asManagerOfB, a, b }) =>
				asManagerOfB("/tenant/domain/list", {
					query: { tenantId: a.tenantId },
					tenant: b.tenantId,
				}),
			gets: forbidden,
		},
		{
			tries: "lists its own, with A in the header",
			with: ({ asManagerOfB, a, b }) =>
				asManagerOfB("/tenant/domain/list", {
					query: { tenantId: b.tenantId },
					tenant: a.tenantId,
				}),
			gets: ({ body }, { b }) =>
				expect(new Set(body.map(({ tenantId }: { tenantId: string }) => tenantId))).toEqual(
					new Set([b.tenantId]),
				),
		},
	],
	verifyTenantDomain: withDomainOfA("/tenant/domain/verify"),
	updateTenantDomain: withDomainOfA("/tenant/domain/update", { primary: true }),
	removeTenantDomain: withDomainOfA("/tenant/domain/remove"),
	askTenantDomain: [
		{
			tries: "asks whether A's email domain is a login domain",
			with: ({ asUserOfB, a }) =>
				asUserOfB("/tenant/domain/ask", { query: { domain: a.emailDomain } }),
			gets: refused(404, "DOMAIN_NOT_FOUND"),
		},
	],
	discoverTenant: [
		{
			tries: "asks whose email it is, although A does not want to be found",
			with: ({ asUserOfB, a }) =>
				asUserOfB("/tenant/discover", { query: { email: `ada@${a.emailDomain}` } }),
			gets: ({ body }) => expect(body).toEqual({ tenant: null }),
		},
		{
			tries: "asks the same as A",
			with: ({ asUserOfB, a }) =>
				asUserOfB("/tenant/discover", {
					query: { email: `ada@${a.emailDomain}` },
					tenant: a.tenantId,
				}),
			gets: ({ body }) => expect(body).toEqual({ tenant: null }),
		},
	],
	tenantHandOver: [
		{
			tries: "guesses the code of a sign-in of A",
			with: ({ asUserOfB, a }) =>
				asUserOfB("/tenant/hand-over", { query: { code: a.oauthState }, tenant: a.tenantId }),
			gets: ({ status, headers }) => {
				expect(status).toBe(302);
				expect(headers.get("location")).toContain("error=invalid_hand_over");
			},
		},
	],
};
