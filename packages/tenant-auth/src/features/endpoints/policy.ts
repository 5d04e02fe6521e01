import { requireState } from "../../call/context/current-state";
import { policyChangesSchema, policyIn, policySchema } from "../../call/policy/tenant-policy";
import { changeTenantPolicy } from "../../management/tenants/policy-store";
import { namedTenantSchema } from "../../management/tenants/tenant";
import { managedTenantEndpoint, tenantQuery } from "./define";

export const getTenantPolicy = managedTenantEndpoint(
	"getTenantPolicy",
	{
		description: "What a tenant decides about sign-up, sign-in, passwords and sessions",
		query: tenantQuery,
		response: policySchema,
	},
	async (ctx, { tenantId }) => {
		const tenant = await requireState(ctx.context).readTenant(tenantId);
		return ctx.json(policyIn({ policy: tenant?.policy ?? null }));
	},
);

export const updateTenantPolicy = managedTenantEndpoint(
	"updateTenantPolicy",
	{
		description: "Change the policy of a tenant; missing sections and fields stay as they are",
		body: policyChangesSchema.extend({ tenantId: namedTenantSchema }),
		response: policySchema,
		errors: ["INVALID_POLICY", "POLICY_NOT_ALLOWED", "ROLE_NOT_ALLOWED"],
	},
	async (ctx, { tenantId }, options) => {
		const { tenantId: _, ...changes } = ctx.body;
		return ctx.json(await changeTenantPolicy(ctx, tenantId, changes, options));
	},
);
