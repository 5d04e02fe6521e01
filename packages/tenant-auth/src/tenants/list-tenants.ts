import { createAuthEndpoint } from "better-auth/api";
import * as z from "zod";
import { requireManagement } from "../management/authorize";
import { arrayOf, openapi, tenantAnswer } from "../openapi";
import type { ResolvedOptions } from "../options";
import { listTenantPage } from "./tenant-store";

const wholeNumber = z.coerce.number<number | string>().int().max(Number.MAX_SAFE_INTEGER);

// biome-ignore lint/suspicious/noControlCharactersInRegex: PostgreSQL takes no NUL in a parameter
const NUL = /\u0000/;

const query = z.object({
	limit: wholeNumber.min(1).meta({ description: "At most so many; default all" }).optional(),
	offset: wholeNumber.min(0).meta({ description: "How many to pass over" }).optional(),
	search: z
		.string()
		.max(200)
		.refine((text) => !NUL.test(text), "search must not contain NUL")
		.meta({ description: "A part of the name or of the slug" })
		.optional(),
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
			const { tenants, total } = await listTenantPage(ctx.context, { limit, offset, search });
			ctx.setHeader("x-total-count", String(total));
			return ctx.json(tenants);
		},
	);
