import { APIError, createAuthEndpoint } from "better-auth/api";
import { getCurrentTenantId, manageTenant } from "better-auth-tenant";
import * as z from "zod";
import { describe, tenantId } from "../endpoint-description";
import { listOfSignUpFields } from "./field";
import { findSignUpFields, storeSignUpFields } from "./store";

/** Who may sign up, and with what, is the policy of the tenant. So are its permissions. */
export const signUpFieldEndpoints = {
	getTenantSignUpFields: createAuthEndpoint(
		"/tenant/sign-up-fields/get",
		{
			method: "GET",
			query: z.strictObject({ tenantId }).optional(),
			metadata: describe(
				"Get the fields that a tenant adds to its sign-up form",
				listOfSignUpFields,
			),
		},
		async (ctx) => {
			const tenant = await manageTenant(ctx, "policy:get");
			const fields = await tenant.read(() => findSignUpFields(ctx.context, tenant.tenantId));
			return ctx.json({ fields });
		},
	),
	setTenantSignUpFields: createAuthEndpoint(
		"/tenant/sign-up-fields/set",
		{
			method: "POST",
			body: z.strictObject({ tenantId, ...listOfSignUpFields.shape }),
			metadata: describe(
				"Replace the fields that a tenant adds to its sign-up form; answers of users stay",
				listOfSignUpFields,
			),
		},
		async (ctx) => {
			const tenant = await manageTenant(ctx, "policy:update");
			const { fields } = ctx.body;
			await tenant.change(
				() => storeSignUpFields(ctx.context, tenant.tenantId, fields),
				() => ({ detail: { signUpFields: fields.map(({ name }) => name) } }),
			);
			return ctx.json({ fields });
		},
	),
	/** Public, because the form is shown to everybody. */
	listSignUpFields: createAuthEndpoint(
		"/sign-up-fields/list",
		{
			method: "GET",
			metadata: describe("The fields that the tenant adds to its sign-up form", listOfSignUpFields),
		},
		async (ctx) => {
			const tenantId = await getCurrentTenantId();
			if (tenantId === null) throw noTenant();
			return ctx.json({ fields: await findSignUpFields(ctx.context, tenantId) });
		},
	),
};

const noTenant = () =>
	new APIError("BAD_REQUEST", {
		code: "TENANT_ID_REQUIRED",
		message: "Name a tenant: only tenants have a sign-up form",
	});
