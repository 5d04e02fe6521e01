import type { AuthContext } from "@better-auth/core";

/** Only the path of a relative URL is looked at. */
const ANY_ORIGIN = "https://relative.invalid";

/**
 * Rejects redirects to paths that start with two slashes once their dots are resolved.
 *
 * Better Auth accepts `/.//evil.example`, which is a path. Where it adds an error to the query, it writes
 * the resolved path alone: `//evil.example?error=…` leads to another host. It asks `isTrustedOrigin`
 * about every redirect that a client chooses.
 */
export function rejectDoubleSlashes(ctx: AuthContext): void {
	const { isTrustedOrigin } = ctx;
	// Core copies the context for each request, with the origins of that request.
	ctx.isTrustedOrigin = function (this: AuthContext, url, settings) {
		return !hasDoubleSlash(url) && isTrustedOrigin.call(this, url, settings);
	};
}

function hasDoubleSlash(url: string): boolean {
	if (!url.startsWith("/") || !URL.canParse(url, ANY_ORIGIN)) return false;
	return new URL(url, ANY_ORIGIN).pathname.startsWith("//");
}
