import type { AuthContext, BetterAuthOptions } from "@better-auth/core";
import { env } from "@better-auth/core/env";
import { APIError, BASE_ERROR_CODES } from "@better-auth/core/error";
import { addNotes, notesOf } from "../call/context/current-state";
import type { TenantHosts } from "../call/context/tenant-hosts";

/**
 * Limits whom Better Auth trusts to the host that was called and to the app's `trustedOrigins`.
 *
 * Better Auth trusts every allowed host at every other one: a page of one tenant could send requests
 * with the cookies of another, because all of them are the same site. And a `callbackURL` or
 * `redirectTo` could lead from one tenant to another, with the token that resets a password.
 *
 * Better Auth makes the list for each request, and checks origins and redirects with it afterwards.
 */
export async function limitOrigins(ctx: AuthContext, request: Request | undefined): Promise<void> {
	// A request asks the app's `trustedOrigins` once.
	if (notesOf(ctx).limitedOrigins === ctx.trustedOrigins) return;
	const own = [new URL(ctx.baseURL).origin];
	ctx.trustedOrigins = await findTrustedOrigins(ctx.options, own, request);
	addNotes(ctx, { limitedOrigins: ctx.trustedOrigins });
}

/** The app's own origins, those of its option `trustedOrigins`, and those of the environment. */
async function findTrustedOrigins(
	{ trustedOrigins }: BetterAuthOptions,
	own: string[],
	request: Request | undefined,
): Promise<string[]> {
	const ofApp =
		typeof trustedOrigins === "function" ? await trustedOrigins(request) : trustedOrigins;
	const ofEnvironment = env.BETTER_AUTH_TRUSTED_ORIGINS?.split(",");
	const origins = [...own, ...(ofApp ?? []), ...(ofEnvironment ?? [])];
	return origins.flatMap((origin) => origin || []);
}

/**
 * Rejects what a page of one tenant sends to the host of another. Better Auth checks the origin of
 * requests with cookies only, and not at every endpoint that signs in.
 */
export async function rejectOtherTenants(request: Request, ctx: AuthContext, hosts: TenantHosts) {
	await limitOrigins(ctx, request);
	const origin = request.headers.get("origin") ?? "";
	if (!URL.canParse(origin) || hosts.slugOf(new URL(origin).host) === null) return;
	if (ctx.isTrustedOrigin(origin)) return;
	const { body } = APIError.from("FORBIDDEN", BASE_ERROR_CODES.INVALID_ORIGIN);
	return { response: Response.json(body, { status: 403 }) };
}

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
