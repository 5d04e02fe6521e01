import * as z from "zod";
import { text } from "../../described";
import { getCurrentTenant } from "../../management/tenants/current-tenant";
import { brandingOf } from "../../rules";
import { publicEndpoint, tenantQuery } from "./define";
import { brandingResponse } from "./sign-in/login-options";
import { requireSignedIn, SIGNED_IN_ERRORS } from "./signed-in";

/**
 * What a user may know about their own tenant. Of the metadata it contains only the branding, which is
 * public: the rest belongs to the app and may be private.
 */
const response = z.object({
	id: text("Unique id"),
	name: text("Display name"),
	slug: text("Unique name for URLs"),
	branding: brandingResponse,
});

/** The tenant of a signed-in user, as the user sees it. */
export type CurrentTenant = z.output<typeof response>;

export const currentTenant = publicEndpoint(
	"currentTenant",
	{
		description: "The tenant of the signed-in user; null for a user of the platform",
		query: tenantQuery,
		response: response.nullable(),
		errors: SIGNED_IN_ERRORS,
	},
	async (ctx, options) => {
		await requireSignedIn(ctx, options);
		const tenant = await getCurrentTenant();
		if (!tenant) return ctx.json(null);
		const { id, name, slug, metadata } = tenant;
		return ctx.json({ id, name, slug, branding: brandingOf(metadata) });
	},
);
