import { expect } from "vitest";
import { forbidden, type MatrixRows, refused } from "./attempt";

const credentials = { providerId: "google", clientId: "mine", clientSecret: "my own secret" };

/** Reading, replacing and deleting A's OAuth clients. */
export const oauthConfigRows: MatrixRows = {
	registerTenantOAuthConfig: [
		{
			tries: "replaces A's client as its user",
			with: ({ asUserOfB, a }) =>
				asUserOfB("/tenant/oauth-config/register", {
					body: { ...credentials, tenantId: a.tenantId },
				}),
			gets: forbidden,
		},
		{
			tries: "replaces A's client as its manager, with itself in the query and the header",
			with: ({ asManagerOfB, a, b }) =>
				asManagerOfB("/tenant/oauth-config/register", {
					body: { ...credentials, tenantId: a.tenantId },
					query: { tenantId: b.tenantId },
					tenant: b.tenantId,
				}),
			gets: forbidden,
		},
		{
			tries: "replaces A's client as its manager, with A in the query",
			with: ({ asManagerOfB, a, b }) =>
				asManagerOfB("/tenant/oauth-config/register", {
					body: credentials,
					query: { tenantId: a.tenantId },
					tenant: b.tenantId,
				}),
			gets: forbidden,
		},
		{
			tries: "replaces A's client as its manager, with A in the header",
			with: ({ asManagerOfB, a }) =>
				asManagerOfB("/tenant/oauth-config/register", { body: credentials, tenant: a.tenantId }),
			gets: forbidden,
		},
		{
			tries: "replaces its own client, with the id of A's and A in the query and the header",
			with: ({ asManagerOfB, a, b }) =>
				asManagerOfB("/tenant/oauth-config/register", {
					body: { ...credentials, tenantId: b.tenantId, id: a.configId },
					query: { tenantId: a.tenantId },
					tenant: a.tenantId,
				}),
			gets: refused(400, "VALIDATION_ERROR"),
		},
	],
	listTenantOAuthConfigs: [
		{
			tries: "lists A's clients as its user",
			with: ({ asUserOfB, a }) =>
				asUserOfB("/tenant/oauth-config/list", { query: { tenantId: a.tenantId } }),
			gets: forbidden,
		},
		{
			tries: "lists A's clients as its manager, with itself in the header",
			with: ({ asManagerOfB, a, b }) =>
				asManagerOfB("/tenant/oauth-config/list", {
					query: { tenantId: a.tenantId },
					tenant: b.tenantId,
				}),
			gets: forbidden,
		},
		{
			tries: "lists its own clients, with A in the header",
			with: ({ asManagerOfB, a, b }) =>
				asManagerOfB("/tenant/oauth-config/list", {
					query: { tenantId: b.tenantId },
					tenant: a.tenantId,
				}),
			gets: ({ body }, { b }) =>
				expect(body).toEqual([expect.objectContaining({ id: b.configId })]),
		},
	],
	updateTenantOAuthConfig: [
		{
			tries: "disables A's client as its user",
			with: ({ asUserOfB, a }) =>
				asUserOfB("/tenant/oauth-config/update", {
					body: { tenantId: a.tenantId, providerId: "google", enabled: false },
				}),
			gets: forbidden,
		},
		{
			tries: "disables A's client as its manager, with itself in the query and the header",
			with: ({ asManagerOfB, a, b }) =>
				asManagerOfB("/tenant/oauth-config/update", {
					body: { tenantId: a.tenantId, providerId: "google", enabled: false },
					query: { tenantId: b.tenantId },
					tenant: b.tenantId,
				}),
			gets: forbidden,
		},
		{
			tries: "disables a client that only A has",
			with: ({ asManagerOfB, a, b }) =>
				asManagerOfB("/tenant/oauth-config/update", {
					body: { tenantId: b.tenantId, providerId: "github", enabled: false },
					tenant: a.tenantId,
				}),
			gets: refused(404, "OAUTH_CONFIG_NOT_FOUND"),
		},
	],
	testTenantOAuthConfig: [
		{
			tries: "tests A's client as its user",
			with: ({ asUserOfB, a }) =>
				asUserOfB("/tenant/oauth-config/test", {
					body: { tenantId: a.tenantId, providerId: "google" },
				}),
			gets: forbidden,
		},
		{
			tries: "tests A's client as its manager, with itself in the query and the header",
			with: ({ asManagerOfB, a, b }) =>
				asManagerOfB("/tenant/oauth-config/test", {
					body: { tenantId: a.tenantId, providerId: "google" },
					query: { tenantId: b.tenantId },
					tenant: b.tenantId,
				}),
			gets: forbidden,
		},
		{
			tries: "tests a client that only A has",
			with: ({ asManagerOfB, a, b }) =>
				asManagerOfB("/tenant/oauth-config/test", {
					body: { tenantId: b.tenantId, providerId: "github" },
					tenant: a.tenantId,
				}),
			gets: refused(404, "OAUTH_CONFIG_NOT_FOUND"),
		},
	],
	deleteTenantOAuthConfig: [
		{
			tries: "deletes A's client as its user",
			with: ({ asUserOfB, a }) =>
				asUserOfB("/tenant/oauth-config/delete", {
					body: { tenantId: a.tenantId, providerId: "google" },
				}),
			gets: forbidden,
		},
		{
			tries: "deletes A's client as its manager, with itself in the query and the header",
			with: ({ asManagerOfB, a, b }) =>
				asManagerOfB("/tenant/oauth-config/delete", {
					body: { tenantId: a.tenantId, providerId: "google" },
					query: { tenantId: b.tenantId },
					tenant: b.tenantId,
				}),
			gets: forbidden,
		},
		{
			tries: "deletes a client that only A has",
			with: ({ asManagerOfB, a, b }) =>
				asManagerOfB("/tenant/oauth-config/delete", {
					body: { tenantId: b.tenantId, providerId: "github" },
					tenant: a.tenantId,
				}),
			gets: refused(404, "OAUTH_CONFIG_NOT_FOUND"),
		},
	],
};
