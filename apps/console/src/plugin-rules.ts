/**
 * Rules of the plugin, copied so that forms can explain a problem while the user types. The service
 * checks every value again and may reject more, for example slugs that the app reserved.
 */

export const TENANT_NAME_MAX_LENGTH = 200;
export const METADATA_MAX_BYTES = 16 * 1024;

const SLUG_MIN_LENGTH = 2;
export const SLUG_MAX_LENGTH = 63;

const RESERVED_SLUGS = new Set(
	`about account accounts admin administrator api app assets auth authentication billing blog
	 callback cdn console contact dashboard demo dev developer developers docs email error favicon
	 ftp healthz help home host hostmaster imap info internal localhost login logout mail me metrics
	 mx noc ns oauth oidc platform pop postmaster preview public readyz register reset-password root
	 saml security settings sign-in sign-out sign-up signin signout signup smtp sso staging static
	 status support system tenant tenants test user users verify-email webmaster www`.split(/\s+/),
);

/** Explains in a sentence why a slug cannot be used. `null` if it can. */
export function findSlugProblem(slug: string): string | null {
	if (slug.length < SLUG_MIN_LENGTH) return `Use at least ${SLUG_MIN_LENGTH} characters.`;
	if (slug.length > SLUG_MAX_LENGTH) return `Use at most ${SLUG_MAX_LENGTH} characters.`;
	if (/[A-Z]/.test(slug)) return "Use lowercase letters only.";
	if (/[^a-z\d-]/.test(slug)) return "Use lowercase letters, digits and hyphens only.";
	if (/^-|-$/.test(slug)) return "A slug cannot start or end with a hyphen.";
	if (RESERVED_SLUGS.has(slug)) return `“${slug}” is reserved.`;
	return null;
}

/** What a tenant's pages and emails show. The tenant's metadata has it under `branding`. */
export interface Branding {
	logoUrl: string;
	primaryColor: string;
	tagline: string;
	supportEmail: string;
}

interface BrandingRule {
	maxLength: number;
	pattern?: RegExp;
	/** Shown if the value does not match the pattern. */
	expected?: string;
}

export const BRANDING_RULES: Record<keyof Branding, BrandingRule> = {
	logoUrl: {
		maxLength: 2048,
		pattern: /^https:\/\/[^\s/]/,
		expected: "Enter a URL that starts with https://.",
	},
	primaryColor: {
		maxLength: 7,
		pattern: /^#[\da-f]{6}$/i,
		expected: "Enter a color such as #2456e6.",
	},
	tagline: { maxLength: 200 },
	supportEmail: {
		maxLength: 254,
		pattern: /^[^\s@]+@[^\s@]+\.[^\s@]+$/,
		expected: "Enter a valid email.",
	},
};

export type BrandingProblems = Partial<Record<keyof Branding, string>>;

/** The service ignores invalid fields without an error, so forms must not save them. */
export function findBrandingProblems(branding: Branding): BrandingProblems {
	const problems: BrandingProblems = {};
	for (const [name, { maxLength, pattern, expected }] of Object.entries(BRANDING_RULES)) {
		const field = name as keyof Branding;
		const value = branding[field].trim();
		if (value === "") continue;
		if (pattern && !pattern.test(value)) problems[field] = expected;
		else if (value.length > maxLength) problems[field] = `Use at most ${maxLength} characters.`;
	}
	return problems;
}
