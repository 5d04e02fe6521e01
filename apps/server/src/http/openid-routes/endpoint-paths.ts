/** What the tenant's own pages call. */
const PAGE_ENDPOINTS = ["consent", "public-client", "get-consents", "delete-consent"];

/**
 * Whether a path of Better Auth belongs to the OpenID provider. Such paths are open below the issuer of a
 * tenant only, except for what the tenant's pages call.
 *
 * @param path below the base path of Better Auth
 */
export function isOpenIdPath(path: string): boolean {
	if (path.startsWith("/.well-known/") || path === "/jwks") return true;
	return path.startsWith("/oauth2/") && !PAGE_ENDPOINTS.includes(path.slice("/oauth2/".length));
}
