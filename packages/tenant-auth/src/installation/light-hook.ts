import type { BetterAuthPlugin } from "@better-auth/core";
import type { createAuthMiddleware } from "better-auth/api";

type Hooks = NonNullable<BetterAuthPlugin["hooks"]>;

export type Handler = NonNullable<Hooks["after"]>[number]["handler"];

/** The context that a hook gets. */
export type HookContext = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];

/** A hook around another one, whose properties it keeps. */
export const wrapHook = (handler: Handler, run: Handler): Handler => Object.assign(run, handler);

/**
 * A hook that works with the context of its call as it is. `createAuthMiddleware` creates three more for
 * each run, with headers and cookies, which costs more than our hooks do. A light hook cannot set
 * headers or cookies.
 */
export function lightHook(run: (ctx: HookContext) => Promise<unknown>): Handler {
	return async (ctx) => ({ response: await run(ctx as HookContext) });
}
