import type { AuthContext } from "@better-auth/core";

/**
 * Runs `finish` after the `init` of every plugin.
 *
 * Better Auth has no hook for that. After all plugins it creates the internal adapter again, with all options
 * that plugins have added, and sets `ctx.options` last of all. So that assignment is our hook.
 * Whatever was in the context before was made from fewer options.
 */
export function afterInit(ctx: AuthContext, finish: () => void): void {
	const before = ctx.options;
	const plain = { configurable: true, enumerable: true } as const;
	Object.defineProperty(ctx, "options", {
		...plain,
		get: () => before,
		set: (options: AuthContext["options"]) => {
			// A plain property again: core copies the context for each request.
			Object.defineProperty(ctx, "options", { ...plain, writable: true, value: options });
			finish();
		},
	});
}
