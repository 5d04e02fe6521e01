import * as z from "zod";
import { SIGN_UP_ANSWERS } from "../user-metadata/user-metadata";

const MAX_CLAIMS = 20;
const MAX_NAME_LENGTH = 200;

/**
 * The short names that an application can use. Every other short name could be, or become, a claim on which
 * libraries decide who the user is and how they signed in.
 */
const SHORT_CLAIM_NAMES: readonly string[] = [
	"birthdate",
	"cost_center",
	"department",
	"division",
	"employee_number",
	"entitlements",
	"gender",
	"groups",
	"locale",
	"nickname",
	"organization",
	"phone_number",
	"plan",
	"preferred_username",
	"profile",
	"website",
	"zoneinfo",
];

/**
 * Those of them that users may say about themselves. Apps decide by the others what somebody may do, so
 * their values never come from what users write: their preferences, and their answers at sign-up.
 */
const SAID_BY_USERS = [
	"birthdate",
	"gender",
	"locale",
	"nickname",
	"profile",
	"website",
	"zoneinfo",
];

/** Names of your own start like this, or are URLs (RFC 7519, section 4.2). */
const PREFIXED = /^app_[a-z\d_]{1,60}$/;

export function isClaimName(name: string): boolean {
	if (SHORT_CLAIM_NAMES.includes(name) || PREFIXED.test(name)) return true;
	return /^https:\/\/[^/\s]/.test(name) && name.length <= MAX_NAME_LENGTH && URL.canParse(name);
}

/** What is before the path, and where the path starts. */
export const SOURCE =
	/^(?:(user\.metadata|user\.preferences|tenant\.metadata)((?:\.[\w-]{1,64}){1,5})|tenant\.(slug|name))$/;

const WRITTEN_BY_USERS = ["user.preferences.", `user.metadata.${SIGN_UP_ANSWERS}.`];

/** Whether the value of a claim may come from there. */
export const mayComeFrom = (name: string, source: string): boolean =>
	!WRITTEN_BY_USERS.some((start) => `${source}.`.startsWith(start)) ||
	!SHORT_CLAIM_NAMES.includes(name) ||
	SAID_BY_USERS.includes(name);

/** Claims by their names, with where their values come from. */
export const claimMapping = z
	.record(
		z
			.string()
			.refine(
				isClaimName,
				"must be an https URL, start with app_, or be one of the short names in the documentation",
			),
		z
			.string()
			.regex(
				SOURCE,
				"must be tenant.slug, tenant.name, or a path such as user.metadata.department, user.preferences.locale or tenant.metadata.plan",
			),
	)
	.refine(
		(claims) => Object.entries(claims).every(([name, source]) => mayComeFrom(name, source)),
		"takes from user.preferences and user.metadata.signUp, which users write themselves, only claims such as locale or nickname",
	)
	.refine((claims) => Object.keys(claims).length <= MAX_CLAIMS, `has at most ${MAX_CLAIMS} claims`);
