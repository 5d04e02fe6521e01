import { ApiError, hasCode } from "../api/client";

const emailTaken = "An account with this email already exists. Sign in instead.";

const MESSAGES = new Map([
	["INVALID_EMAIL_OR_PASSWORD", "Incorrect email or password."],
	["INVALID_EMAIL", "Enter a valid email."],
	["INVALID_PASSWORD", "Incorrect password."],
	["PASSWORD_TOO_SHORT", "This password is too short."],
	["PASSWORD_TOO_LONG", "This password is too long."],
	["USER_ALREADY_EXISTS", emailTaken],
	["USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL", emailTaken],
	["EMAIL_NOT_VERIFIED", "Your email is not verified yet."],
	["INVALID_TOKEN", "This link has expired or was already used."],
	["TOKEN_EXPIRED", "This link has expired."],
	["SESSION_EXPIRED", "You have been signed out. Sign in again."],
	["SESSION_NOT_FRESH", "Sign out and sign in again, then repeat this step."],
	["FAILED_TO_UNLINK_LAST_ACCOUNT", "You cannot remove your only sign-in method."],
	["PASSWORD_QUEUE_FULL", "Many people are signing in right now. Try again in a moment."],
	["PROVIDER_NOT_FOUND", "This sign-in method is no longer available."],
]);

/** What to tell a user about a failed call. */
export function errorMessage(error: unknown): string {
	if (!(error instanceof ApiError)) return "Something went wrong. Try again.";
	const message = MESSAGES.get(error.code);
	if (message) return message;
	if (error.status === 429) return "Too many attempts. Wait a moment and try again.";
	if (error.status >= 500) return "Something went wrong on our side. Try again.";
	return error.message;
}

export const isEmailTaken = (error: unknown): boolean =>
	hasCode(error, "USER_ALREADY_EXISTS", "USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL");

export const isNewPasswordRejected = (error: unknown): boolean =>
	hasCode(error, "PASSWORD_TOO_SHORT", "PASSWORD_TOO_LONG");

type OAuthError = { title: string; text: string };

const canceled: OAuthError = {
	title: "Sign-in canceled",
	text: "You canceled the sign-in at the provider. Try again, or choose another sign-in method.",
};
const expired: OAuthError = {
	title: "Sign-in expired",
	text: "Finish the sign-in within a few minutes, in the browser in which you started. Try again.",
};
const misconfigured: OAuthError = {
	title: "This provider does not work right now",
	text: "The provider is not set up correctly. Choose another sign-in method, or contact your administrator.",
};
const emailMissing: OAuthError = {
	title: "The provider did not share your email",
	text: "An account needs an email. Allow the provider to share it, or choose another sign-in method.",
};
const notLinked: OAuthError = {
	title: "Could not link this account",
	text: "Another user already has this email or this provider account. Sign in with your usual method. You can then link the provider on your account page.",
};

/** By the `error` parameter of the URL that a failed flow redirects to. */
const OAUTH_ERRORS = new Map<string, OAuthError>([
	["access_denied", canceled],
	["user_cancelled_login", canceled],
	["user_cancelled_authorize", canceled],
	["consent_required", canceled],
	["login_required", canceled],
	["state_mismatch", expired],
	["state_not_found", expired],
	["state_security_mismatch", expired],
	["state_invalid", expired],
	["please_restart_the_process", expired],
	["invalid_callback_request", expired],
	["no_code", expired],
	["invalid_code", misconfigured],
	["invalid_client", misconfigured],
	["unauthorized_client", misconfigured],
	["invalid_request", misconfigured],
	["invalid_scope", misconfigured],
	["redirect_uri_mismatch", misconfigured],
	["issuer_mismatch", misconfigured],
	["issuer_missing", misconfigured],
	["nonce_binding_missing", misconfigured],
	["unable_to_get_user_info", misconfigured],
	["oauth_provider_not_found", misconfigured],
	["provider_not_found", misconfigured],
	["oauth_credential_decrypt_failed", misconfigured],
	["no_callback_url", misconfigured],
	["email_not_found", emailMissing],
	["email_is_missing", emailMissing],
	["account_not_linked", notLinked],
	["account_already_linked_to_different_user", notLinked],
	["linking_not_allowed", notLinked],
	["linking_different_emails_not_allowed", notLinked],
	["email_doesn't_match", notLinked],
	["email_does_not_match", notLinked],
	[
		"unable_to_link_account",
		{
			title: "Could not link this account",
			text: "Sign in with your usual method, and link the provider in the same browser. If it fails again, the provider has not verified the email of this account.",
		},
	],
	[
		"oauth_config_changed",
		{
			title: "The provider settings changed",
			text: "The settings of this provider changed while you signed in. Try again.",
		},
	],
	[
		"email_not_verified",
		{
			title: "Your email is not verified",
			text: "The provider has not verified your email. Verify it there, then try again.",
		},
	],
	[
		"signup_disabled",
		{
			title: "You do not have an account yet",
			text: "You cannot create an account with this provider. Contact your administrator.",
		},
	],
	[
		"tenant_suspended",
		{
			title: "Organization suspended",
			text: "Nobody can sign in to this organization at the moment. No data has been deleted.",
		},
	],
	[
		"temporarily_unavailable",
		{
			title: "The provider is not available",
			text: "Try again in a few minutes.",
		},
	],
]);

const UNKNOWN_OAUTH_ERROR: OAuthError = {
	title: "Could not sign in",
	text: "Something went wrong. Try again, or choose another sign-in method.",
};

export const describeOAuthError = (code: string | null): OAuthError =>
	OAUTH_ERRORS.get(code?.toLowerCase() ?? "") ?? UNKNOWN_OAUTH_ERROR;
