import type * as BetterAuth from "better-auth";
import { vi } from "vitest";

/**
 * Replaces `auth.handler` of every instance by our fast handler. So the whole suite shows that both do
 * the same. `TEST_HANDLER=fast npm test` uses it.
 */
vi.doMock("better-auth", async (importOriginal) => {
	const original = await importOriginal<typeof BetterAuth>();
	return {
		...original,
		betterAuth: (options: Parameters<typeof BetterAuth.betterAuth>[0]) => {
			const auth = original.betterAuth(options);
			let fast: ((request: Request) => Promise<Response>) | undefined;
			const handler = async (request: Request) => {
				// Its modules import Better Auth, so they cannot be loaded before.
				const { fastHandler } = await import("../../../src/handler/fast-handler");
				fast ??= fastHandler(auth);
				return fast(request);
			};
			return { ...auth, handler, fetch: handler };
		},
	};
});
