import type { GenericEndpointContext } from "@better-auth/core";
import type { OAuthProvider } from "@better-auth/core/oauth2";
import { addOAuthServerContext } from "better-auth/api";
import { requireInstance } from "../context/current-state";
import type { TenantHosts } from "../context/tenant-hosts";

const KEY = "tenantDomains";

/**
 * The provider of a social sign-in at a custom domain, which returns to the platform: only that callback
 * URL is registered at the provider. Notes the custom domain where no client can write it.
 */
export async function returnToPlatform(
	ctx: GenericEndpointContext,
	provider: OAuthProvider,
): Promise<OAuthProvider> {
	const { hosts } = requireInstance(ctx.context).options;
	const returnHost = hosts ? findReturnHost(ctx, hosts) : null;
	if (!hosts || returnHost === null) return provider;
	await addOAuthServerContext({ [KEY]: { returnHost } });
	return returningToPlatform(provider, hosts);
}

/** The custom domain at which a flow started, if it comes back through the callback of the platform. */
export function returnHostIn(state: { serverContext?: Record<string, unknown> }): string | null {
	const { returnHost }: { returnHost?: unknown } = Object(state.serverContext?.[KEY]);
	return typeof returnHost === "string" ? returnHost : null;
}

/**
 * The custom domain that a call came to, if its social sign-in comes back through the platform.
 *
 * A state in a cookie cannot be read at the platform, so the callback could not know where to go. Then the
 * custom domain has a callback of its own, as any other host.
 */
function findReturnHost({ context }: GenericEndpointContext, hosts: TenantHosts): string | null {
	if (context.oauthConfig.storeStateStrategy === "cookie") return null;
	const { hostname } = new URL(context.baseURL);
	return hosts.isOwnHost(hostname) ? null : hostname;
}

/** A `redirectURI` in the provider's own options still wins: core prefers it to the one that it passes. */
function returningToPlatform(
	provider: OAuthProvider,
	{ baseURL: { fallback } }: TenantHosts,
): OAuthProvider {
	const atPlatform = (redirectURI: string) => {
		const { pathname } = new URL(redirectURI);
		return `${fallback}${pathname}`;
	};
	return {
		...provider,
		createAuthorizationURL: (data) =>
			provider.createAuthorizationURL({ ...data, redirectURI: atPlatform(data.redirectURI) }),
		validateAuthorizationCode: (data) =>
			provider.validateAuthorizationCode({ ...data, redirectURI: atPlatform(data.redirectURI) }),
	};
}
