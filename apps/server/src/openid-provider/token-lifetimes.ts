import type { GenericEndpointContext } from "@better-auth/core";
import { tryGetCurrentAuthEndpointContext } from "@better-auth/core/context";
import type { oauthProvider } from "@better-auth/oauth-provider";
import { createAuthMiddleware } from "better-auth/api";
import { decodeBasicCredentials } from "better-auth/oauth2";
import { decodeJwt } from "jose";
import { findApplication } from "./applications/find-application";

/** In seconds. */
type Lifetimes = { access: number; id: number };

/** Those of the application that asks for tokens, by the context of the call. */
const ofCall = new WeakMap<object, Lifetimes>();

/**
 * The plugin has one setting for all applications. It reads it when it makes a token, and by then this hook
 * has found the application.
 */
export const lifetimesOfApplication = (service: Lifetimes) => ({
	matcher: ({ path }: { path?: string }) => path === "/oauth2/token",
	handler: createAuthMiddleware(async (ctx) => {
		const clientId = findPresented(ctx);
		const application = clientId === null ? null : await findApplication({ clientId });
		if (!application) return;
		const { accessTokenMinutes, idTokenMinutes } = application;
		const limited = (minutes: number | null, limit: number) =>
			Math.min(limit, minutes === null ? limit : minutes * 60);
		ofCall.set(ctx.context, {
			access: limited(accessTokenMinutes, service.access),
			id: limited(idTokenMinutes, service.id),
		});
	}),
});

/** Lets the plugin read the lifetimes of the application. */
export function useLifetimesOfApplication(
	options: ReturnType<typeof oauthProvider>["options"],
	service: Lifetimes,
): void {
	const of = (kind: keyof Lifetimes) => ({
		enumerable: true,
		get: () => {
			const ctx = tryGetCurrentAuthEndpointContext();
			return ((ctx && ofCall.get(ctx.context)) ?? service)[kind];
		},
	});
	Object.defineProperty(options, "accessTokenExpiresIn", of("access"));
	Object.defineProperty(options, "m2mAccessTokenExpiresIn", of("access"));
	Object.defineProperty(options, "idTokenExpiresIn", of("id"));
}

/** The application as which the plugin authenticates the client, in the same order. */
function findPresented({ headers, body }: GenericEndpointContext): string | null {
	const { client_id: named, client_assertion: assertion } = Object(body);
	const authorization = headers?.get("authorization") ?? "";
	try {
		if (assertion) return decodeJwt(String(assertion)).sub ?? null;
		if (/^basic /i.test(authorization)) return decodeBasicCredentials(authorization).clientId;
	} catch {
		// The plugin refuses it.
		return null;
	}
	return typeof named === "string" ? named : null;
}
