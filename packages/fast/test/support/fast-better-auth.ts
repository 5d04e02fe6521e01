import type * as BetterAuth from "better-auth";
import { vi } from "vitest";
import { fastStatements } from "../../src/statements/fast-statements";

const { TEST_HANDLER, TEST_STATEMENTS } = process.env;

/**
 * Makes every instance of Better Auth fast, so that the whole suite shows that the results are the same.
 * `TEST_HANDLER=fast npm test` replaces `auth.handler` by our fast handler. `TEST_STATEMENTS=fast npm
 * test` adds the plugin `fastStatements()`.
 */
vi.doMock("better-auth", async (importOriginal) => {
	const original = await importOriginal<typeof BetterAuth>();
	return {
		...original,
		betterAuth: (options: Parameters<typeof BetterAuth.betterAuth>[0]) => {
			const auth = original.betterAuth(withStatements(options));
			if (TEST_HANDLER !== "fast") return auth;
			let fast: ((request: Request) => Promise<Response>) | undefined;
			const handler = async (request: Request) => {
				// Its modules import Better Auth, so they cannot be loaded before.
				const { fastHandler } = await import("../../src/handler/fast-handler");
				fast ??= fastHandler(auth);
				return fast(request);
			};
			return { ...auth, handler, fetch: handler };
		},
	};
});

function withStatements(options: BetterAuth.BetterAuthOptions): BetterAuth.BetterAuthOptions {
	const { plugins = [] } = options;
	const plugin = fastStatements();
	if (TEST_STATEMENTS !== "fast" || plugins.some(({ id }) => id === plugin.id)) return options;
	return { ...options, plugins: [plugin, ...plugins] };
}
