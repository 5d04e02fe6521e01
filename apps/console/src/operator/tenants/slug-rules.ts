import type { ApiError } from "../../api/api-error";

/**
 * What the service refuses too, told while one types. The service has the last word: it may reserve
 * more.
 */
const RESERVED = new Set(
	`about account accounts admin administrator api app assets auth authentication billing blog
	 callback cdn console contact dashboard demo dev developer developers docs email error favicon
	 ftp healthz help home host hostmaster imap info internal localhost login logout mail me metrics
	 mx noc ns oauth oidc platform pop postmaster preview public readyz register reset-password root
	 saml security settings sign-in sign-out sign-up signin signout signup smtp sso staging static
	 status support system tenant tenants test user users verify-email webmaster www`.split(/\s+/),
);

/** What is wrong with a slug, in a sentence, or `null`. */
export function findSlugProblem(slug: string): string | null {
	if (slug.length < 2) return "A slug has at least 2 characters.";
	if (slug.length > 63) return "A slug has at most 63 characters.";
	if (/[A-Z]/.test(slug)) return "A slug has no capital letters.";
	if (/[^a-z\d-]/.test(slug)) return "A slug has lowercase letters, digits and hyphens only.";
	if (/^-|-$/.test(slug)) return "A slug neither begins nor ends with a hyphen.";
	if (RESERVED.has(slug)) return `“${slug}” is reserved.`;
	return null;
}

/** A slug that goes with a name: “Café Zoë & Sons” becomes `cafe-zoe-sons`. */
export function suggestSlug(name: string): string {
	return name
		.normalize("NFKD")
		.replace(/\p{M}/gu, "")
		.toLowerCase()
		.replace(/[^a-z\d]+/g, "-")
		.slice(0, 63)
		.replace(/^-+|-+$/g, "");
}

const CODES = ["INVALID_SLUG", "SLUG_RESERVED", "TENANT_ALREADY_EXISTS"];

/** Whether the service refused because of the slug. */
export const isAboutSlug = (error: Error | null): boolean =>
	CODES.includes((error as ApiError | null)?.code ?? "");
