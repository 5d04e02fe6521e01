/** The ways to sign in that a tenant's policy can allow, with the plugin that each of them needs. */
const METHODS = {
	password: null,
	social: null,
	"magic-link": "magic-link",
	"email-otp": "email-otp",
	"phone-number": "phone-number",
	passkey: "passkey",
	sso: "sso",
	siwe: "siwe",
	anonymous: "anonymous",
} as const satisfies Record<string, string | null>;

export type SignInMethod = keyof typeof METHODS;

export const SIGN_IN_METHODS = Object.keys(METHODS) as [SignInMethod, ...SignInMethod[]];

/**
 * How an endpoint gets a session.
 *
 * - a method: the user signs in with it
 * - `continued`: it replaces a session, or finishes a sign-in whose first step was allowed
 * - `managed`: somebody who manages the tenant creates the session or the user
 */
export type SessionSource = SignInMethod | "continued" | "managed";

/** The id of the plugin that a method needs; `null` if it is a part of Better Auth itself. */
export const pluginOf = (method: SignInMethod): string | null => METHODS[method];
