import type { GenericEndpointContext } from "@better-auth/core";
import type { OAuthProvider } from "@better-auth/core/oauth2";
import type { TenantHosts } from "../context/tenant-hosts";

/**
 * The custom domain that a call came to, if its social sign-in comes back through the platform.
 *
 * A state in a cookie cannot be read at the platform, so the callback could not tell where to go. Then the
 * custom domain has a callback of its own, as any other host.
 */
export function findReturnHost(
	{ context }: GenericEndpointContext,
	hosts: TenantHosts | undefined,
): string | null {
	if (!hosts?.customDomains || context.oauthConfig.storeStateStrategy === "cookie") return null;
	const { hostname } = new URL(context.baseURL);
	return hosts.isOwnHost(hostname) ? null : hostname;
}

/**
 * A provider that returns to the platform, whose callback URL is registered there. A `redirectURI` in the
 * provider's own options still wins: core prefers it to the one that it passes.
 */
export function returningToPlatform(
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
