import type { BetterAuthPlugin } from "better-auth";

/**
 * Where Better Auth may lead somebody to, with `redirectTo`, `callbackURL` and the like: the host that
 * was called, and what is listed. It would take every host below the tenants' domain, since it is
 * called at all of them. But such an address gets the token that sets a new password, and another
 * tenant's page, or one that is no tenant's, must not.
 *
 * @param listed the server's own origins and those that the operator trusts
 */
export function narrowRedirectTargets(listed: string[]) {
	return {
		id: "redirect-targets",
		// The context is made for the request, and the first check comes after this.
		onRequest: async (_, ctx) => {
			ctx.trustedOrigins = [new URL(ctx.baseURL).origin, ...listed];
		},
	} satisfies BetterAuthPlugin;
}
