import type { BetterAuthPlugin, GenericEndpointContext } from "@better-auth/core";
import { APIError, createAuthMiddleware } from "better-auth/api";
import { getCurrentTenant } from "better-auth-tenant";
import { keyReader, prepareAssertion } from "./client-assertion";
import { DEVICE_CODE_PATH } from "./device-flow/plugin";
import { proofsForIssuer } from "./dpop-proofs";
import { dropForeignHint, requireHintedUser } from "./id-token-hint";
import { type Issuers, issuerOf } from "./issuer";
import { isOwnToken } from "./own-tokens";

/**
 * Makes the issuer of the tenant the base URL of calls to the OAuth provider plugin. The plugin takes it for
 * `iss`, for the URLs of its endpoints in the discovery document, for the audience of the userinfo endpoint,
 * and for its error page.
 *
 * The plugin also runs its authorization endpoint after a sign-in. Then Better Auth runs this hook again.
 */
export function tenantIssuer(issuers: Issuers, allowPrivateHosts: boolean): BetterAuthPlugin {
	const readKeys = keyReader(allowPrivateHosts);
	return {
		id: "tenant-auth-issuer",
		hooks: {
			before: [
				{
					matcher: ({ path, body }) => Boolean(body?.oauth_query) && !GOES_ON.test(path ?? ""),
					handler: createAuthMiddleware(async ({ body }) => {
						delete body.oauth_query;
					}),
				},
				{
					matcher: ({ path }) => path?.startsWith("/oauth2/") || OTHER_PATHS.has(path ?? ""),
					handler: createAuthMiddleware(async (ctx) => {
						const tenant = await getCurrentTenant();
						if (!tenant) throw noTenant();
						ctx.context.baseURL = issuerOf(issuers, tenant.slug);
						if (ctx.path === "/oauth2/authorize") return requireHintedUser(ctx);
						if (ctx.path === "/oauth2/end-session") return dropForeignHint(ctx);
						if (ASSERTED.has(ctx.path)) await prepareAssertion(ctx, readKeys);
						return refuseForeignToken(ctx);
					}),
				},
				proofsForIssuer,
			],
		},
	};
}

const OTHER_PATHS = new Set(["/.well-known/openid-configuration", DEVICE_CODE_PATH]);

/**
 * Where an authorization goes on. The plugin would go on after every call that sets the session cookie, and
 * take that for a sign-in.
 */
const GOES_ON = /^(\/tenant)?\/sign-(in|up)\/|^\/oauth2\/consent$/;

export const noTenant = () =>
	new APIError("BAD_REQUEST", {
		code: "TENANT_ID_REQUIRED",
		message: "Only tenants have an OpenID provider",
		error: "invalid_request",
		error_description: "Only tenants have an OpenID provider",
	});

/** Where clients authenticate. */
const ASSERTED = new Set([
	...["/oauth2/token", "/oauth2/introspect", "/oauth2/revoke", DEVICE_CODE_PATH],
]);

const USERINFO = "/oauth2/userinfo";
const TOKEN_IN_BODY = new Set(["/oauth2/introspect", "/oauth2/revoke"]);

/**
 * Checks a token that is a JWT before the plugin does: it must be signed by a key of this tenant, for this
 * issuer. The plugin keeps one key set in memory for all tenants, and returns 500 for a signature, a key or
 * an issuer that is wrong.
 */
async function refuseForeignToken(ctx: GenericEndpointContext) {
	const token = findToken(ctx);
	// RFC 6750, section 3.1: without a token there is no error code.
	if (ctx.path === USERINFO && !token) {
		throw new APIError(
			"UNAUTHORIZED",
			{ code: "ACCESS_TOKEN_REQUIRED", message: "An access token is required" },
			{ "WWW-Authenticate": "Bearer" },
		);
	}
	if (token?.split(".").length !== 3 || (await isOwnToken(ctx, token))) return;
	if (ctx.path === USERINFO) {
		throw new APIError(
			"UNAUTHORIZED",
			{ error: "invalid_token", error_description: "Invalid access token" },
			{ "WWW-Authenticate": 'Bearer error="invalid_token"' },
		);
	}
	// The plugin authenticates the client first. Then it finds no such token.
	return { context: { body: { ...ctx.body, token: "-" } } };
}

function findToken(ctx: GenericEndpointContext): string | undefined {
	const { authorization, body } = {
		authorization: ctx.headers?.get("authorization") ?? "",
		body: (ctx.body ?? {}) as { token?: unknown; access_token?: unknown },
	};
	const presented = TOKEN_IN_BODY.has(ctx.path)
		? body.token
		: ctx.path === USERINFO
			? (/^(?:bearer|dpop) +(\S+)$/i.exec(authorization)?.[1] ?? body.access_token)
			: undefined;
	return typeof presented === "string" ? presented.replace(/^(?:bearer|dpop) +/i, "") : undefined;
}
