import { APIError } from "@better-auth/core/error";
import { getSessionFromCtx } from "better-auth/api";
import * as z from "zod";
import { findState } from "../context/current-state";
import { enterTenantIfNamed } from "../context/gate";
import { brandingOf } from "../rules";
import { tenantError } from "../tenant-error";
import { getCurrentTenant } from "../tenants/current-tenant";
import { namedTenantSchema } from "../tenants/tenant";
import { publicEndpoint } from "./define";
import { UNAUTHORIZED } from "./openapi";
import { brandingAnswer } from "./sign-in/login-options";

/**
 * What a user may know about the own tenant. Of the metadata it contains only the branding, which is
 * public: the rest belongs to the app and may be private.
 */
const answer = z.object({
	id: z.string().meta({ description: "Unique id" }),
	name: z.string().meta({ description: "Display name" }),
	slug: z.string().meta({ description: "Unique name for URLs" }),
	branding: brandingAnswer,
});

/** The tenant of a signed-in user, as the user sees it. */
export type CurrentTenant = z.output<typeof answer>;

export const currentTenant = publicEndpoint(
	"currentTenant",
	{
		description: "The tenant of the signed-in user; null for a user of the platform",
		query: z.object({ tenantId: namedTenantSchema }).optional(),
		answer: answer.nullable(),
		errors: ["UNAUTHORIZED", "SECOND_FACTOR_REQUIRED", "TENANT_NOT_FOUND", "TENANT_SUSPENDED"],
	},
	async (ctx, options) => {
		await enterTenantIfNamed(ctx, options);
		// A session of another tenant than the named one does not count, so its tenant stays hidden.
		if (!(await getSessionFromCtx(ctx))) {
			// So a page knows that it must offer to set one up.
			if (findState()?.lacksSecondFactor) throw tenantError("SECOND_FACTOR_REQUIRED");
			throw APIError.from("UNAUTHORIZED", UNAUTHORIZED);
		}
		const tenant = await getCurrentTenant();
		if (!tenant) return ctx.json(null);
		const { id, name, slug, metadata } = tenant;
		return ctx.json({ id, name, slug, branding: brandingOf(metadata) });
	},
);
