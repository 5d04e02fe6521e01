import type { GenericEndpointContext } from "@better-auth/core";
import type { TenantInstance } from "../call/context/request-state";
import { isSignIn, reportSignIn } from "../management/events/report-sign-in";
import { type Handler, type HookContext, lightHook } from "./light-hook";

/**
 * A hook that reports how a sign-in ended. It must run after the hooks of all plugins: the two-factor
 * plugin takes the session away in one.
 */
export const reportSignIns = (instance: TenantInstance) => ({
	matcher: (ctx: { path?: string }) => isSignIn(ctx, instance),
	handler: lightHook((ctx: HookContext) => reportSignIn(ctx, instance, ctx.context.returned)),
});

/**
 * Better Auth runs no hooks after a before-hook that throws: ours, if the tenant is suspended, or one of
 * the app or of a plugin, which refuses the sign-in.
 */
export function reportingRefusals(handler: Handler, instance: TenantInstance): Handler {
	const wrapped: Handler = async (ctx) => {
		try {
			return await handler(ctx);
		} catch (error) {
			const call = ctx as GenericEndpointContext;
			if (isSignIn(call, instance)) await reportSignIn(call, instance, error);
			throw error;
		}
	};
	return Object.assign(wrapped, handler);
}
