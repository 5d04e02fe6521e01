import { APIError } from "@better-auth/core/error";
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
import { listLastSignIns, listSignIns, signInSchema } from "./sign-in-log";

const { managedTenantEndpoint } = endpointsOf(SIGN_IN_ROUTES, {});

const MAX_IDS = 100;

const query = z.object({
	tenantId: namedTenantSchema,
	...pageFields,
	userId: idSchema.meta({ description: "Only sign-ins of this user" }).optional(),
	email: searchSchema
		.min(1)
		.meta({ description: "Only sign-ins for which exactly this email was entered" })
		.optional(),
	latestOf: z
		.string()
		.max(MAX_IDS * 256)
		.refine(
			(text) => text.split(",").length <= MAX_IDS,
			`latestOf must name at most ${MAX_IDS} users`,
		)
		.meta({
			description:
				"Only the last sign-in that succeeded of each of these users, by their ids with commas between them; at most 100, and without other filters",
		})
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
		const { userId, email, result, reason, latestOf } = ctx.query ?? {};
		if (latestOf !== undefined) {
			const { since, until, cursor } = ctx.query ?? {};
			if ([userId, email, result, reason, since, until, cursor].some((it) => it !== undefined)) {
				const message = "[query.latestOf] Send it without other filters";
				throw new APIError("BAD_REQUEST", { code: "VALIDATION_ERROR", message });
			}
			const rows = await listLastSignIns(ctx.context, tenant, latestOf.split(","));
			const page = { total: rows.length, next: null, isLimited: false };
			return ctx.json(await listPart(ctx, rows, page, part));
		}
		const page = await listSignIns(ctx.context, tenant, {
			...part,
			...{ userId, email, result, reason },
			...periodOf(ctx.query),
		});
		return ctx.json(await listPart(ctx, page.rows, page, part));
	},
);
