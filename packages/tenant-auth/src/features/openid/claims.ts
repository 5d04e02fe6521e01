import type { OAuth2UserInfo } from "@better-auth/core/oauth2";
import type { MAPPED_CLAIMS } from "../../providers";
import type { Claims } from "./id-token";

type MappedClaim = (typeof MAPPED_CLAIMS)[number];

/** Which claims of a provider say what about a user. */
export interface ClaimMapping {
	claims: Partial<Record<MappedClaim, string>>;
	/** The tenant role for each value of the role claim. The first one that matches is used. */
	roles: Record<string, string>;
}

const STANDARD = {
	email: "email",
	emailVerified: "email_verified",
	name: "name",
	picture: "picture",
} as const;

type Described = keyof typeof STANDARD;

/** The role of users without a value that `roles` has. */
const DEFAULT_ROLE = "member";

/** The claim of this name. If there is none, the name may be a path, such as `realm_access.roles`. */
function findClaim(claims: Claims, name: string): unknown {
	if (Object.hasOwn(claims, name)) return claims[name];
	let found: unknown = claims;
	for (const part of name.split(".")) {
		if (typeof found !== "object" || found === null || !Object.hasOwn(found, part))
			return undefined;
		found = new Map<string, unknown>(Object.entries(found)).get(part);
	}
	return found;
}

const nameOf = ({ claims }: ClaimMapping, wanted: Described) => claims[wanted] ?? STANDARD[wanted];

/** Whether a token says all that is wanted. Otherwise the user info endpoint has to say it. */
export function isComplete(claims: Claims, mapping: ClaimMapping): boolean {
	const names = [
		nameOf(mapping, "email"),
		nameOf(mapping, "name"),
		...Object.values(mapping.claims),
	];
	return names.every((name) => findClaim(claims, name) !== undefined);
}

/**
 * The claims of an ID token, and those that only the user info has. A claim that an email is
 * verified applies only to the email that it was said about.
 */
export function mergeClaims(signed: Claims, more: Claims | null, mapping: ClaimMapping): Claims {
	const [email, verified] = [nameOf(mapping, "email"), nameOf(mapping, "emailVerified")];
	const { [verified]: isVerified, ...rest } = more ?? {};
	const merged = { ...rest, ...signed };
	const isSameEmail = more !== null && findClaim(more, email) === findClaim(merged, email);
	return isSameEmail ? { [verified]: isVerified, ...merged } : merged;
}

/**
 * `email_verified` is about the claim `email`. If the tenant takes the email from another claim, which
 * users may be able to change at the provider, it says nothing, unless both are the same email.
 */
function isVerifiedEmail(claims: Claims, mapping: ClaimMapping): boolean {
	const isAboutIt =
		mapping.claims.emailVerified !== undefined ||
		findClaim(claims, nameOf(mapping, "email")) === findClaim(claims, STANDARD.email);
	const claim = findClaim(claims, nameOf(mapping, "emailVerified"));
	// A text at some providers, and a number at Entra (xms_edov).
	return isAboutIt && /^(true|1)$/i.test(String(claim));
}

export function toUserInfo(claims: Claims, mapping: ClaimMapping): OAuth2UserInfo {
	const read = (wanted: Described) => findClaim(claims, nameOf(mapping, wanted));
	const image = textOf(read("picture"));
	return {
		name: textOf(read("name")) ?? fallbackName(claims),
		email: textOf(read("email")) ?? null,
		emailVerified: isVerifiedEmail(claims, mapping),
		...(image === undefined ? {} : { image }),
	};
}

const textOf = (value: unknown) => (typeof value === "string" && value !== "" ? value : undefined);

function fallbackName({ given_name, family_name, preferred_username }: Claims): string {
	const parts = [textOf(given_name), textOf(family_name)].filter(Boolean).join(" ");
	return parts || (textOf(preferred_username) ?? "");
}

/** The tenant role that the provider gives the user; `null` if it does not decide roles. */
export function findRole(claims: Claims, { claims: { role }, roles }: ClaimMapping): string | null {
	if (role === undefined) return null;
	const values = new Set(valuesOf(findClaim(claims, role)));
	const [, found] = Object.entries(roles).find(([value]) => values.has(value)) ?? [];
	return found ?? DEFAULT_ROLE;
}

/** One value, a list, or the names of an object, as ZITADEL has it. */
function valuesOf(claim: unknown): string[] {
	if (Array.isArray(claim)) return claim.filter((each) => typeof each === "string");
	if (typeof claim === "object" && claim !== null) return Object.keys(claim);
	return typeof claim === "string" ? [claim] : [];
}
