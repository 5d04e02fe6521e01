import { expect } from "vitest";
import { forbidden, type MatrixRows, refused } from "./attempt";

/** Managing tenants: B's user never may, and whoever manages B manages B alone. */
export const tenantRows: MatrixRows = {
	createTenant: [
		{
			tries: "makes a tenant as its user",
			with: ({ asUserOfB }) =>
				asUserOfB("/tenant/create", { body: { name: "New", slug: "new-one" } }),
			gets: forbidden,
		},
		{
			tries: "makes a tenant as its manager, naming itself",
			with: ({ asManagerOfB, b }) =>
				asManagerOfB("/tenant/create", {
					body: { name: "New", slug: "new-one" },
					tenant: b.tenantId,
				}),
			gets: forbidden,
		},
	],
	getTenant: [
		{
			tries: "reads A as its user",
			with: ({ asUserOfB, a }) => asUserOfB("/tenant/get", { query: { id: a.tenantId } }),
			gets: forbidden,
		},
		{
			tries: "reads itself as its user",
			with: ({ asUserOfB, b }) => asUserOfB("/tenant/get", { query: { id: b.tenantId } }),
			gets: forbidden,
		},
		{
			tries: "reads A as its manager",
			with: ({ asManagerOfB, a, b }) =>
				asManagerOfB("/tenant/get", { query: { id: a.tenantId }, tenant: b.tenantId }),
			gets: forbidden,
		},
		{
			tries: "reads A as its manager, by slug",
			with: ({ asManagerOfB, a }) => asManagerOfB("/tenant/get", { query: { slug: a.slug } }),
			gets: forbidden,
		},
		{
			tries: "reads itself as its manager, with A in the header and in the query",
			with: ({ asManagerOfB, a, b }) =>
				asManagerOfB("/tenant/get", {
					query: { id: b.tenantId, tenantId: a.tenantId },
					tenant: a.tenantId,
				}),
			gets: ({ body }, { b }) => expect(body.id).toBe(b.tenantId),
		},
	],
	listTenants: [
		{
			tries: "lists tenants as its user",
			with: ({ asUserOfB }) => asUserOfB("/tenant/list"),
			gets: forbidden,
		},
		{
			tries: "lists tenants as its manager",
			with: ({ asManagerOfB, b }) =>
				asManagerOfB("/tenant/list", { query: { tenantId: b.tenantId }, tenant: b.tenantId }),
			gets: forbidden,
		},
	],
	updateTenant: [
		{
			tries: "renames A as its user",
			with: ({ asUserOfB, a }) =>
				asUserOfB("/tenant/update", { body: { tenantId: a.tenantId, name: "Taken over" } }),
			gets: forbidden,
		},
		{
			tries: "renames A as its manager, with itself in the header and the query",
			with: ({ asManagerOfB, a, b }) =>
				asManagerOfB("/tenant/update", {
					body: { tenantId: a.tenantId, name: "Taken over" },
					query: { tenantId: b.tenantId },
					tenant: b.tenantId,
				}),
			gets: forbidden,
		},
		{
			tries: "takes A's slug",
			with: ({ asManagerOfB, a, b }) =>
				asManagerOfB("/tenant/update", { body: { tenantId: b.tenantId, slug: a.slug } }),
			gets: refused(409, "TENANT_ALREADY_EXISTS"),
		},
		{
			tries: "renames itself as its manager, with A's id as a field and in the header",
			with: ({ asManagerOfB, a, b }) =>
				asManagerOfB("/tenant/update", {
					body: { tenantId: b.tenantId, id: a.tenantId, name: "Renamed" },
					tenant: a.tenantId,
				}),
			gets: refused(400, "VALIDATION_ERROR"),
		},
	],
	deleteTenant: [
		{
			tries: "deletes A as its user",
			with: ({ asUserOfB, a }) => asUserOfB("/tenant/delete", { body: { tenantId: a.tenantId } }),
			gets: forbidden,
		},
		{
			tries: "deletes A as its manager, with itself in the header",
			with: ({ asManagerOfB, a, b }) =>
				asManagerOfB("/tenant/delete", { body: { tenantId: a.tenantId }, tenant: b.tenantId }),
			gets: forbidden,
		},
		{
			tries: "deletes itself as its manager, with A in the header and in the query",
			with: ({ asManagerOfB, a, b }) =>
				asManagerOfB("/tenant/delete", {
					body: { tenantId: b.tenantId },
					query: { tenantId: a.tenantId },
					tenant: a.tenantId,
				}),
			gets: ({ body }) => expect(body).toEqual({ success: true }),
		},
	],
};
