/**
 * Rules that a form in the browser shares with the server: names, slugs, metadata and branding.
 *
 * This is the entry `better-auth-tenant/rules`. It imports nothing.
 *
 * @module
 */

/** The longest name of a tenant. */
export const MAX_NAME_LENGTH = 200;

/** The largest JSON object that a request may contain. For metadata it is the default. */
export const MAX_JSON_BYTES = 16 * 1024;

export const MIN_SLUG_LENGTH = 2;
export const MAX_SLUG_LENGTH = 63;

/** A DNS label, so that a tenant can have its own subdomain. */
export const SLUG_PATTERN = /^[a-z\d][a-z\d-]{0,61}[a-z\d]$/;

/**
 * Slugs that no tenant may have, unless the option `reservedSlugs` replaces the list. Everything else,
 * such as `app`, `demo` or `test`, is an ordinary slug.
 *
 * - `api`, `tenant`, `www`: paths of this plugin and hosts that almost every app has itself
 * - `account` to `sso`: pages where people enter their password. A tenant at `login.example.com` could
 *   be taken for the sign-in page of the service.
 * - `admin` to `system`: the people who run the service
 * - `platform`: the users of no tenant
 */
export const RESERVED_SLUGS: readonly string[] = `api tenant www
	 account accounts auth login oauth sign-in sign-up signin signup sso
	 admin administrator console root security support system
	 platform`.split(/\s+/);

export interface SlugProblem {
	/** The code that the server responds with. */
	code: "INVALID_SLUG" | "SLUG_RESERVED";
	/** One sentence for a person. */
	message: string;
}

/**
 * What is wrong with a slug, or `null`. Only the server knows whether a slug is taken.
 *
 * @param reserved the app's option `reservedSlugs`
 */
export function findSlugProblem(
	slug: string,
	reserved: readonly string[] = RESERVED_SLUGS,
): SlugProblem | null {
	const message = findSlugMistake(slug);
	if (message) return { code: "INVALID_SLUG", message };
	if (!reserved.includes(slug)) return null;
	return { code: "SLUG_RESERVED", message: "This slug is reserved." };
}

/** Browsers show a DNS label of this form in another script, where it can look like another tenant's. */
const PUNYCODE = /^..--/;

function findSlugMistake(slug: string): string | null {
	if (PUNYCODE.test(slug)) return "A slug has no two hyphens as its third and fourth characters.";
	if (SLUG_PATTERN.test(slug)) return null;
	if (slug.length < MIN_SLUG_LENGTH) return `A slug has at least ${MIN_SLUG_LENGTH} characters.`;
	if (slug.length > MAX_SLUG_LENGTH) return `A slug has at most ${MAX_SLUG_LENGTH} characters.`;
	if (/[A-Z]/.test(slug)) return "A slug has no capital letters.";
	if (/^-|-$/.test(slug)) return "A slug does not begin or end with a hyphen.";
	return "A slug has lowercase letters, digits and hyphens only.";
}

/** What sign-in pages show of `metadata.branding`. URLs are https; for development, http of this machine. */
export interface Branding {
	logoUrl?: string;
	darkLogoUrl?: string;
	faviconUrl?: string;
	/** `#rrggbb` */
	primaryColor?: string;
	tagline?: string;
	supportEmail?: string;
	termsUrl?: string;
	privacyUrl?: string;
}

export type BrandingField = keyof Branding;

const EMAIL = /^(?!\.)(?!.*\.\.)([\w'+\-.]*)[\w+-]@([a-z\d][a-z\d-]*\.)+[a-z]{2,}$/i;
const isEmail = (text: string) => EMAIL.test(text);

const HTTPS_URL = /^https:\/\/\S+$/i;
/** A service that runs on this machine has no certificate. Other machines cannot load it. */
const LOCAL_URL = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?\/\S+$/i;

type Rule = { maxLength: number; matches: (text: string) => boolean; message: string };

const url = (what: string): Rule => ({
	maxLength: 2048,
	matches: (text) => (HTTPS_URL.test(text) || LOCAL_URL.test(text)) && URL.canParse(text),
	message: `${what} is a URL that begins with https://.`,
});

const RULES: Record<BrandingField, Rule> = {
	logoUrl: url("The logo"),
	darkLogoUrl: url("The logo for dark pages"),
	faviconUrl: url("The icon"),
	primaryColor: {
		maxLength: 7,
		matches: (text) => /^#[\da-f]{6}$/i.test(text),
		message: "The color is a # with six hexadecimal digits, for example #2456e6.",
	},
	tagline: { maxLength: 200, matches: (text) => text !== "", message: "The tagline is empty." },
	supportEmail: { maxLength: 254, matches: isEmail, message: "This is not an email address." },
	termsUrl: url("The link to the terms"),
	privacyUrl: url("The link to the privacy policy"),
};

export const BRANDING_FIELDS = Object.keys(RULES) as readonly BrandingField[];

/** The longest text of each field. */
export const BRANDING_LIMITS = Object.fromEntries(
	BRANDING_FIELDS.map((field) => [field, RULES[field].maxLength]),
) as Readonly<Record<BrandingField, number>>;

/** What is wrong with a field of the branding, in one sentence, or `null`. */
export function findBrandingProblem(field: BrandingField, value: unknown): string | null {
	if (typeof value !== "string") return "The value is not a text.";
	const text = value.trim();
	const { maxLength, matches, message } = RULES[field];
	if (text.length > maxLength) return `At most ${maxLength} characters.`;
	return matches(text) ? null : message;
}

/** The valid fields of `metadata.branding`. A mistake in one of them does not hide the others. */
export function brandingOf(metadata: Record<string, unknown> | null): Branding {
	const given = new Map<string, unknown>(Object.entries(Object(metadata?.branding)));
	const branding: Branding = {};
	for (const field of BRANDING_FIELDS) {
		const value = given.get(field);
		if (findBrandingProblem(field, value) === null) branding[field] = String(value).trim();
	}
	return branding;
}

/**
 * What was wrong with the response of an identity provider, in words for administrators. The browser of the
 * user gets Better Auth's own code only: the response may be an attack.
 */
export const PROVIDER_PROBLEMS = {
	no_id_token: "The provider sent no ID token",
	invalid_id_token: "The ID token cannot be read",
	wrong_issuer: "The ID token has another issuer",
	wrong_audience: "The ID token was issued to another client",
	wrong_nonce: "The ID token belongs to another sign-in",
	wrong_algorithm: "The ID token is signed with an algorithm that is not allowed",
	unknown_key: "The ID token is signed with a key that the provider does not publish",
	wrong_signature: "The signature of the ID token is wrong",
	token_expired: "The ID token has expired, or the clocks differ",
	token_not_valid_yet: "The ID token is not valid yet: the clocks differ",
	missing_claim: "The ID token has no subject, no time of issue or no time of expiry",
	keys_unavailable: "The keys of the provider could not be loaded",
	user_info_unavailable: "The user info request failed",
	user_info_of_another_user: "The user info is about another user",
	invalid_email: "The email is not an email address",
	invalid_account_id: "The account id is too long, or has control characters",
} as const;

export type ProviderProblemCode = keyof typeof PROVIDER_PROBLEMS;
