import type { GenericEndpointContext } from "@better-auth/core";
import type { OAuthProvider } from "@better-auth/core/oauth2";
import { addOAuthServerContext } from "better-auth/api";
import { requireInstance } from "../../call/context/current-state";
import type { TenantHosts } from "../../call/context/tenant-hosts";

const KEY = "tenantDomains";

/**
 * The provider of a social sign-in at the host of a tenant, which returns to the platform: only that callback
 * URL is registered at the provider. Notes the host where no client can write it.
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

/** The host of a tenant at which a flow started, if it comes back through the callback of the platform. */
export function returnHostIn(state: { serverContext?: Record<string, unknown> }): string | null {
	const { returnHost }: { returnHost?: unknown } = Object(state.serverContext?.[KEY]);
	return typeof returnHost === "string" ? returnHost : null;
}

/**
 * The host of a tenant that a call came to, if its social sign-in comes back through the platform: a custom
 * domain, or with `sharedCallback` any host.
 *
 * A state in a cookie cannot be read at the platform, so the callback could not know where to go. Then the
 * host has a callback of its own.
 */
function findReturnHost({ context }: GenericEndpointContext, hosts: TenantHosts): string | null {
	if (context.oauthConfig.storeStateStrategy === "cookie") return null;
	const { host, hostname } = new URL(context.baseURL);
	if (hosts.isPlatformHost(host)) return null;
	const isReturning = hosts.isOwnHost(hostname) ? hosts.sharedCallback : hosts.customDomains;
	return isReturning ? hostname : null;
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
