import type { AuthContext } from "@better-auth/core";

/**
 * Runs `finish` once every plugin's `init` is through.
 *
 * Core then makes the internal adapter anew, with all options that plugins have added, and sets
 * these options last of all: that is the moment. Whatever was in the context before is made from
 * less.
 */
export function whenInitialized(ctx: AuthContext, finish: () => void): void {
	const before = ctx.options;
	const plain = { configurable: true, enumerable: true } as const;
	Object.defineProperty(ctx, "options", {
		...plain,
		get: () => before,
		set: (options: AuthContext["options"]) => {
			// A plain property again, for core gives each request a copy of the context.
			Object.defineProperty(ctx, "options", { ...plain, writable: true, value: options });
			finish();
		},
	});
}
