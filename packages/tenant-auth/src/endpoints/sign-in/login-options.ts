import { createAuthEndpoint } from "better-auth/api";
import * as z from "zod";
import { isPossibleId } from "../../context/tenant-id";
import { listEffectiveProviders } from "../../oauth-clients/effective-providers";
import { brandingOf } from "../../rules";
import { findTenant } from "../../tenants/store";
import { idSchema, toTenant } from "../../tenants/tenant";
import { tenantNotFound, tenantSuspended } from "../../tenants/tenant-errors";
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
					? await findTenant(ctx.context, "slug", slug)
					: isPossibleId(ctx, tenantId as string)
						? await findTenant(ctx.context, "id", tenantId as string)
						: null;
			if (!row || row.erasingSince) {
				throw tenantNotFound();
			}
			if (row.suspendedAt) throw tenantSuspended();
			const { id, name, metadata } = toTenant(row);
			const { enabled, disableSignUp, sendResetPassword, requireEmailVerification } =
				ctx.context.options.emailAndPassword ?? {};
			const { minPasswordLength, maxPasswordLength } = ctx.context.password.config;
			const providers = await listEffectiveProviders(ctx.context, id);
			return ctx.json({
				tenant: { id, name, slug: row.slug },
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
