import { parseUserOutput } from "better-auth/db";
import * as z from "zod";
import { namedTenantSchema } from "../../tenants/tenant";
import { listUsers } from "../../users/store";
import { managedTenantEndpoint } from "../define";
import { pageFields, searchSchema } from "../pagination";
import { userAnswer } from "../sign-in/session-answer";

const query = z.object({
	tenantId: namedTenantSchema,
	...pageFields,
	search: searchSchema.meta({ description: "A part of the name or of the email" }).optional(),
});

export const listTenantUsers = managedTenantEndpoint(
	"listTenantUsers",
	{
		description: "List a tenant's users, newest first; the header x-total-count has their number",
		query: query.optional(),
		answer: z.array(userAnswer),
	},
	async (ctx, tenant) => {
		const { limit = 100, offset = 0, search } = ctx.query ?? {};
		const { users, total } = await listUsers(ctx.context, tenant, { limit, offset, search });
		ctx.setHeader("x-total-count", String(total));
		return ctx.json(users.map((user) => parseUserOutput(ctx.context.options, user)));
	},
);
