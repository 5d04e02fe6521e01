import type { TenantErrorCode } from "../../error-codes";
import type { SessionSource } from "../foreign/sign-in-methods";
import type { TenantPolicy } from "./tenant-policy";

/** How a call gets a session or creates a user, as far as it is known. */
export interface SignInAttempt {
	/** `undefined` for an endpoint that this plugin does not know. */
	source: SessionSource | undefined;
	/** The social provider, if it is one. */
	providerId: string | undefined;
}

/** Why a policy does not allow a sign-in, or `null`. An endpoint that we do not know is refused. */
export function findSignInProblem(
	{ signIn: { methods, providers } }: TenantPolicy,
	{ source, providerId }: SignInAttempt,
): TenantErrorCode | null {
	if (methods === null && providers === null) return null;
	if (source === "continued" || source === "managed") return null;
	if (methods !== null && (source === undefined || !methods.includes(source))) {
		return "SIGN_IN_METHOD_NOT_ALLOWED";
	}
	if (source !== "social" || providers === null) return null;
	return providerId !== undefined && providers.includes(providerId)
		? null
		: "SIGN_IN_METHOD_NOT_ALLOWED";
}

/**
 * Why a policy does not let people create an account for themselves, or `null`.
 *
 * @param invited whether they have a valid invitation for this email
 */
export function findSignUpProblem(
	{ signUp: { mode, emailDomains } }: TenantPolicy,
	{ email, invited }: { email: string | undefined; invited: boolean },
): TenantErrorCode | null {
	if (mode === "closed") return "SIGN_UP_NOT_ALLOWED";
	if (mode === "invite" && !invited) return "INVITATION_REQUIRED";
	return isInDomains(email, emailDomains) ? null : "EMAIL_DOMAIN_NOT_ALLOWED";
}

/** Exactly one of the domains: a subdomain may belong to somebody else. */
export function isInDomains(email: string | undefined, domains: string[] | null): boolean {
	if (domains === null) return true;
	if (email === undefined) return false;
	const domain = email.slice(email.lastIndexOf("@") + 1).toLowerCase();
	return domains.includes(domain);
}
