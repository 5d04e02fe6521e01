import type { AuthContext } from "@better-auth/core";

/**
 * Changes a part of the context that core sets anew after every plugin's `init`.
 *
 * What is there now is changed at once, and what core sets is changed as it is set. From then on it
 * is a plain property again, for core gives each request a copy of the context.
 */
export function replaceOnceSet<Key extends "internalAdapter" | "options">(
	ctx: AuthContext,
	key: Key,
	change: (value: AuthContext[Key]) => AuthContext[Key],
): void {
	let current = change(ctx[key]);
	const plain = { configurable: true, enumerable: true } as const;
	Object.defineProperty(ctx, key, {
		...plain,
		get: () => current,
		set: (value: AuthContext[Key]) => {
			current = change(value);
			Object.defineProperty(ctx, key, { ...plain, writable: true, value: current });
		},
	});
}
