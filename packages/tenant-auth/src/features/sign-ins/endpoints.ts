import * as z from "zod";
import { idSchema, namedTenantSchema } from "../../management/tenants/tenant";
import { endpointsOf } from "../endpoints/define";
import {
	listPart,
	listResponse,
	pageFields,
	periodFields,
	periodOf,
	requestedPart,
	searchSchema,
} from "../endpoints/lists";
import { SIGN_IN_ROUTES } from "./routes";
import { listSignIns, signInSchema } from "./sign-in-log";

const { managedTenantEndpoint } = endpointsOf(SIGN_IN_ROUTES, {});

const query = z.object({
	tenantId: namedTenantSchema,
	...pageFields,
	userId: idSchema.meta({ description: "Only sign-ins of this user" }).optional(),
	email: searchSchema
		.min(1)
		.meta({ description: "Only sign-ins for which exactly this email was entered" })
		.optional(),
	result: signInSchema.shape.result.meta({ description: "Only with this result" }).optional(),
	reason: searchSchema
		.min(1)
		.meta({ description: "Only those that failed for this reason, such as INVALID_PASSWORD" })
		.optional(),
	...periodFields,
});

export const listTenantSignIns = managedTenantEndpoint(
	"listTenantSignIns",
	{
		description:
			"List the sign-in log of a tenant, newest first; the header x-total-count has their number",
		query: query.optional(),
		response: listResponse(signInSchema),
		errors: ["INVALID_CURSOR"],
	},
	async (ctx, tenant) => {
		const part = await requestedPart(ctx, { name: "sign-ins", ...tenant, order: "newest" });
		const { userId, email, result, reason } = ctx.query ?? {};
		const page = await listSignIns(ctx.context, tenant, {
			...part,
			...{ userId, email, result, reason },
			...periodOf(ctx.query),
		});
		return ctx.json(await listPart(ctx, page.rows, page, part));
	},
);
