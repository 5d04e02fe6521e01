import { createAuthEndpoint } from "better-auth/api";
import * as z from "zod";
import { requireManagement } from "../../management/authorize";
import type { ResolvedOptions } from "../../options";
import { listTenantsInBatches, type TenantList } from "../../tenants/list";
import type { Tenant } from "../../tenants/tenant";
import { arrayOf, openapi, tenantAnswer } from "../openapi";
import { pageFields, searchSchema, wholeNumber } from "../pagination";
import { streamJson } from "./json-stream";

/** A longer list goes over HTTP piece by piece: a hundred thousand tenants are some 20 MB. */
const MOST_AT_ONCE = 1000;

const query = z.object({
	...pageFields,
	limit: wholeNumber.min(1).meta({ description: "At most so many; default all" }).optional(),
	search: searchSchema.meta({ description: "A part of the name or of the slug" }).optional(),
});

export const listTenants = (options: ResolvedOptions) =>
	createAuthEndpoint(
		"/tenant/list",
		{
			method: "GET",
			query: query.optional(),
			metadata: {
				openapi: openapi(
					"listTenants",
					"List the tenants, oldest first; the header x-total-count tells how many there are",
					arrayOf(tenantAnswer),
					["TENANT_MANAGEMENT_NOT_ALLOWED"],
					query,
				),
			},
		},
		async (ctx) => {
			await requireManagement(ctx, options, { action: "tenant:list", tenantId: null });
			const { limit, offset = 0, search } = ctx.query ?? {};
			const list = await listTenantsInBatches(ctx.context, { limit, offset, search });
			ctx.setHeader("x-total-count", String(list.total));
			if (list.length > MOST_AT_ONCE && isRouted(ctx)) return stream(list) as never;
			const tenants: Tenant[] = [];
			for await (const batch of list.batches) tenants.push(...batch);
			return ctx.json(tenants);
		},
	);

/** Whether HTTP asks. A caller of `auth.api` has an array, as its type says. */
const isRouted = (ctx: object) => "_flag" in ctx && ctx._flag === "router";

const stream = ({ batches }: TenantList) =>
	new Response(streamJson(batches), { headers: { "content-type": "application/json" } });
