import { tenantError } from "../tenant-error";

/** Names that a product or its operator needs for itself: hosts, mail boxes, path prefixes. */
const RESERVED = new Set(
	`about account accounts admin administrator api app assets auth authentication billing blog
	 callback cdn console contact dashboard demo dev developer developers docs email error favicon
	 ftp healthz help home host hostmaster imap info internal localhost login logout mail me metrics
	 mx noc ns oauth oidc platform pop postmaster preview public readyz register reset-password root
	 saml security settings sign-in sign-out sign-up signin signout signup smtp sso staging static
	 status support system tenant tenants test user users verify-email webmaster www`.split(/\s+/),
);

/** A DNS label, so that a tenant can have its own subdomain. */
const SLUG = /^[a-z\d][a-z\d-]{0,61}[a-z\d]$/;

/** Refuses a slug that cannot be used. Whether it is taken is the database's to say. */
export function requireUsableSlug(slug: string, reservedByHost: readonly string[]): void {
	if (!SLUG.test(slug)) {
		throw tenantError("INVALID_SLUG");
	}
	if (RESERVED.has(slug) || reservedByHost.includes(slug)) {
		throw tenantError("SLUG_RESERVED");
	}
}
