import { PROVIDER_PROBLEM_TEXTS } from "../providers/provider-problems";

/** Why a sign-in failed, in words for a support team. */
export const REASONS: Record<string, string> = {
	USER_NOT_FOUND: "No user has this email",
	INVALID_PASSWORD: "Wrong password",
	NO_PASSWORD: "The user has no password",
	EMAIL_NOT_VERIFIED: "The email is not verified",
	USER_DISABLED: "The user is disabled",
	TENANT_SUSPENDED: "The tenant is suspended",
	SIGN_IN_METHOD_NOT_ALLOWED: "The policy does not allow this method",
	SIGN_UP_NOT_ALLOWED: "Sign-up is closed",
	INVITATION_REQUIRED: "Sign-up needs an invitation",
	EMAIL_DOMAIN_NOT_ALLOWED: "The policy does not allow this email domain",
	PROVIDER_NOT_FOUND: "The provider is not set up",
	INVALID_CODE: "Wrong code",
	INVALID_TOKEN: "The link has expired or was used",
	USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: "Sign-up with the email of a user",
	PASSWORD_TOO_SHORT: "The new password is too short",
	PASSWORD_COMPROMISED: "The new password is in a known breach",
	TOO_MANY_REQUESTS: "Too many attempts",
	MISSING_RESPONSE: "No captcha was solved",
	VERIFICATION_FAILED: "The captcha was not accepted",
	CAPTCHA_UNAVAILABLE: "The captcha could not be verified",
	account_not_linked: "The provider's account is not linked to the user",
	SAML_TEST_ENDED: "A test of SAML, which signs nobody in",
	access_denied: "Canceled at the provider",
	invalid_code: "The provider rejected the code",
	unable_to_get_user_info: "The provider did not return the user",
	email_not_found: "The provider did not return an email",
	...PROVIDER_PROBLEM_TEXTS,
	OTHER: "Another error",
};

export const describeReason = (reason: string): string => REASONS[reason] ?? reason;
