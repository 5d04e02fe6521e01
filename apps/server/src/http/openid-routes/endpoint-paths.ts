/** What the tenant's own pages call. */
const PAGE_ENDPOINTS = ["consent", "public-client", "get-consents", "delete-consent"];

/** What devices call. The plugin has an endpoint for session tokens beside it, which is not open at all. */
const DEVICE_ENDPOINTS = ["/device/code", "/device/token"];

/**
 * Whether a path of Better Auth belongs to the OpenID provider. Such paths are open below the issuer of a
 * tenant only, except for what the tenant's pages call.
 *
 * @param path below the base path of Better Auth
 */
export function isOpenIdPath(path: string): boolean {
	if (path.startsWith("/.well-known/") || path === "/jwks") return true;
	if (DEVICE_ENDPOINTS.includes(path)) return true;
	return path.startsWith("/oauth2/") && !PAGE_ENDPOINTS.includes(path.slice("/oauth2/".length));
}
