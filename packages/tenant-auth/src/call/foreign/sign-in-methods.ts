/** The ways to sign in that a tenant's policy can allow. A plugin that one of them needs names it. */
export const SIGN_IN_METHODS = [
	"password",
	"social",
	"magic-link",
	"email-otp",
	"phone-number",
	"passkey",
	"sso",
	"siwe",
	"anonymous",
] as const;

export type SignInMethod = (typeof SIGN_IN_METHODS)[number];

/** A part of a sign-in that events report under a name of its own. */
export type SignInPart = "two-factor" | "one-time-token";

/**
 * How an endpoint gets a session.
 *
 * - a method: the user signs in with it
 * - `continued`: it replaces a session, or finishes a sign-in whose first step was allowed
 * - `managed`: somebody who manages the tenant creates the session or the user
 */
export type SessionSource = SignInMethod | "continued" | "managed";
