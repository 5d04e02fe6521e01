import { createAuthEndpoint } from "better-auth/api";
import * as z from "zod";
import { requireOpen } from "../../context/gate";
import { requireState } from "../../context/request-state";
import { findTenantRow } from "../../context/tenant-row";
import { listEffectiveProviders } from "../../oauth-clients/effective-providers";
import { brandingOf } from "../../tenants/branding";
import { idSchema, toTenant } from "../../tenants/tenant";
import { loginOptionsAnswer, openapi } from "../openapi";

const query = z
	.object({
		tenantId: idSchema.meta({ description: "The tenant's id" }).optional(),
		slug: idSchema.meta({ description: "The tenant's slug" }).optional(),
	})
	.refine(({ tenantId, slug }) => (tenantId === undefined) !== (slug === undefined), {
		message: "Exactly one of tenantId and slug is required",
	});

/** Public: it is asked before anybody has signed in, so it tells nothing that a sign-in page would not. */
export const tenantLoginOptions = () =>
	createAuthEndpoint(
		"/tenant/login-options",
		{
			method: "GET",
			query,
			metadata: {
				openapi: openapi(
					"tenantLoginOptions",
					"What a tenant's sign-in page shows: name, brand, and the ways in",
					loginOptionsAnswer,
					["TENANT_NOT_FOUND", "TENANT_SUSPENDED"],
				),
			},
		},
		async (ctx) => {
			const { tenantId, slug } = ctx.query;
			const row =
				slug !== undefined
					? await findTenantRow(ctx.context, "slug", slug)
					: await requireState().readTenant(tenantId as string);
			const { id, name, metadata, slug: ownSlug } = toTenant(requireOpen(row).tenant);
			const { enabled, disableSignUp, sendResetPassword, requireEmailVerification } =
				ctx.context.options.emailAndPassword ?? {};
			const { minPasswordLength, maxPasswordLength } = ctx.context.password.config;
			const providers = await listEffectiveProviders(ctx.context, id);
			return ctx.json({
				tenant: { id, name, slug: ownSlug },
				branding: brandingOf(metadata),
				email: {
					signIn: enabled === true,
					signUp: enabled === true && disableSignUp !== true,
					reset: enabled === true && sendResetPassword !== undefined,
					verification: requireEmailVerification === true,
				},
				password: { minLength: minPasswordLength, maxLength: maxPasswordLength },
				providers: providers
					.filter(({ source }) => source !== "none")
					.map(({ providerId }) => providerId),
			});
		},
	);
