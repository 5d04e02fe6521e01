import { isLoopbackHost } from "@better-auth/core/utils/host";

/** Stands for the slug of the tenant in the URIs of a service-wide application. */
const PLACEHOLDER = "{tenant}";

/** Any slug: the rules for a URI are checked with it. */
const EXAMPLE_SLUG = "acme";

const AS_FIRST_LABEL = /^https?:\/\/\{tenant\}\.([^/?#:@\\{}\s]+)(?::\d+)?(?:[/?][^{}\\\s]*)?$/;
const AS_PATH_SEGMENT =
	/^https?:\/\/[^/?#@\\{}\s]+(?:\/[^/?#{}\\\s]*)*\/\{tenant\}(?:[/?][^{}\\\s]*)?$/;

export const hasPlaceholder = (uri: string): boolean => uri.includes(PLACEHOLDER);

/** A slug has small letters, digits and hyphens only, so it cannot change another part of the URI. */
export const fillPlaceholder = (uri: string, slug: string = EXAMPLE_SLUG): string =>
	uri.replace(PLACEHOLDER, slug);

/**
 * Whether the placeholder is the whole first label of a host, or a whole segment of a path. The rest of the
 * host must not be a top-level domain: a tenant chooses its slug, and others own the hosts below it.
 */
export function isPlaceholderAllowed(uri: string): boolean {
	if (!uri.includes("{") && !uri.includes("}")) return true;
	const parent = AS_FIRST_LABEL.exec(uri)?.[1];
	if (parent === undefined) return AS_PATH_SEGMENT.test(uri);
	return isLoopbackHost(parent) || /[^.]\.[^.]/.test(parent);
}

const WITH_PLACEHOLDER = ["redirectUris", "postLogoutRedirectUris", "allowedOrigins"] as const;

type Uris = { [Field in (typeof WITH_PLACEHOLDER)[number]]?: string[] | null } & {
	backchannelLogoutUri?: string | null;
};

/** A service-wide application, or its row, as one tenant has it. */
export function forTenant<Shared extends Uris>(shared: Shared, slug: string): Shared {
	const filled: Shared = { ...shared };
	for (const field of WITH_PLACEHOLDER) {
		const uris = shared[field];
		if (uris) filled[field] = uris.map((uri) => fillPlaceholder(uri, slug));
	}
	const logoutUri = shared.backchannelLogoutUri;
	if (logoutUri) filled.backchannelLogoutUri = fillPlaceholder(logoutUri, slug);
	return filled;
}
