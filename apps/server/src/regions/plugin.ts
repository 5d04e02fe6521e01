import type { GenericEndpointContext } from "@better-auth/core";
import type { BetterAuthPlugin } from "better-auth";
import { createAuthMiddleware } from "better-auth/api";
import { manageTenant } from "better-auth-tenant";
import { SLUG_PATTERN } from "better-auth-tenant/rules";
import type { Locate } from "./directory";
import { requireFreeSlug, requireNotOpenElsewhere } from "./slug-rules";

type IsOperator = (ctx: GenericEndpointContext) => Promise<boolean>;

/**
 * Checks the slugs that somebody gives to tenants of this region, and that a tenant is open in one region only.
 * Only for callers whom the endpoint lets do it: others must not make this server call other regions. It is
 * the tenant that the endpoint finds, however the call names it.
 */
export const regions = (locate: Locate, isOperator: IsOperator) => {
	const requireSlug = async ({ body, context }: GenericEndpointContext) => {
		const { slug, releaseSlug }: { slug?: unknown; releaseSlug?: unknown } = Object(body);
		// The endpoints refuse anything else.
		if (typeof slug !== "string" || !SLUG_PATTERN.test(slug)) return;
		const located = await locate({ slug });
		await requireFreeSlug(context, { slug, releaseSlug: releaseSlug === true, located });
	};
	return {
		id: "tenant-auth-regions",
		hooks: {
			before: [
				before("/tenant/create", async (ctx) => {
					if (!ctx.headers || (await isOperator(ctx))) await requireSlug(ctx);
				}),
				before("/tenant/update", async (ctx) => {
					if (Object(ctx.body).slug === undefined) return;
					await manageTenant(ctx, "tenant:update");
					await requireSlug(ctx);
				}),
				before("/tenant/resume", async (ctx) => {
					const { tenantId } = await manageTenant(ctx, "tenant:resume");
					requireNotOpenElsewhere(await locate({ id: tenantId }));
				}),
			],
		},
	} satisfies BetterAuthPlugin;
};

const before = (at: string, check: (ctx: GenericEndpointContext) => Promise<void>) => ({
	matcher: ({ path }: { path?: string }) => path === at,
	handler: createAuthMiddleware(check),
});
