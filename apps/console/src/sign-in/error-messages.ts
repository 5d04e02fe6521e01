import { ApiError, hasCode } from "../api/client";
import type { Texts } from "./texts/en";
import { useTexts } from "./texts/texts";

const SIGN_UP_FIELD_CODES = [
	"SIGN_UP_FIELD_INVALID",
	"SIGN_UP_FIELD_REQUIRED",
	"SIGN_UP_FIELD_TOO_LONG",
	"SIGN_UP_FIELD_UNKNOWN",
];

/** Codes that mean the same to a user. */
const SAME = new Map<string, string>([
	["USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL", "USER_ALREADY_EXISTS"],
	["EMAIL_ALREADY_IN_USE", "USER_ALREADY_EXISTS"],
	// Better Auth rejects everything that needs a session with this code.
	["UNAUTHORIZED", "SESSION_EXPIRED"],
	// The page checks the fields as they were when it was opened.
	...SIGN_UP_FIELD_CODES.map((code) => [code, "SIGN_UP_FIELD_INVALID"] as const),
	// The page was open for longer than a passkey may take.
	["CHALLENGE_NOT_FOUND", "AUTHENTICATION_FAILED"],
]);

/** What to tell a user about a failed call. */
export function errorMessage(error: unknown, { errors }: Pick<Texts, "errors">): string {
	if (!(error instanceof ApiError)) return errors.general;
	const { code, status, message } = error;
	const known = SAME.get(code) ?? code;
	// Our own keys are in lower case. Codes of the server are not.
	if (known === known.toUpperCase() && Object.hasOwn(errors, known)) {
		return errors[known as "INVALID_EMAIL"];
	}
	if (status === 0) return errors.offline;
	if (status === 429) return errors.tooMany;
	if (status >= 500) return errors.server;
	return errors.unknown(message, code);
}

export function useErrorMessage(): (error: unknown) => string {
	const texts = useTexts();
	return (error) => errorMessage(error, texts);
}

export const isEmailTaken = (error: unknown): boolean =>
	hasCode(error, "USER_ALREADY_EXISTS", "USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL");

export const isNewPasswordRejected = (error: unknown): boolean =>
	hasCode(error, "PASSWORD_TOO_SHORT", "PASSWORD_TOO_LONG", "PASSWORD_COMPROMISED");

export const isSignUpFieldRejected = (error: unknown): boolean =>
	hasCode(error, ...SIGN_UP_FIELD_CODES);

/** Whether the server looked at the request and said no. The same request fails again. */
export const isRejected = (error: unknown): boolean =>
	error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;

type Problem = keyof Texts["problems"];
type AppProblem = Extract<Problem, `app${string}`>;

/** What a failed flow or link puts into the `error` parameter of the URL that it redirects to. */
const CODES: Record<Exclude<Problem, "general" | AppProblem>, string[]> = {
	canceled: [
		"access_denied",
		"user_cancelled_login",
		"user_cancelled_authorize",
		"consent_required",
		"login_required",
	],
	expired: [
		"state_mismatch",
		"state_not_found",
		"state_security_mismatch",
		"state_invalid",
		"please_restart_the_process",
		"invalid_callback_request",
		"invalid_hand_over",
		"no_code",
	],
	misconfigured: [
		"invalid_code",
		"invalid_client",
		"unauthorized_client",
		"invalid_request",
		"invalid_scope",
		"redirect_uri_mismatch",
		"issuer_mismatch",
		"issuer_missing",
		"nonce_binding_missing",
		"unable_to_get_user_info",
		"oauth_provider_not_found",
		"provider_not_found",
		"oauth_credential_decrypt_failed",
		"no_callback_url",
		"domain_not_verified",
	],
	emailMissing: ["email_not_found", "email_is_missing"],
	notLinked: [
		"account_not_linked",
		"account_already_linked_to_different_user",
		"linking_not_allowed",
		"linking_different_emails_not_allowed",
		"email_doesn't_match",
		"email_does_not_match",
	],
	linkFailed: ["unable_to_link_account"],
	configChanged: ["oauth_config_changed"],
	emailNotVerified: ["email_not_verified"],
	noAccount: ["signup_disabled", "sign_up_not_allowed", "new_user_signup_disabled"],
	invitationRequired: ["invitation_required"],
	emailDomain: ["email_domain_not_allowed"],
	notAllowed: ["sign_in_method_not_allowed"],
	disabled: ["user_disabled", "banned"],
	linkUsed: [
		"invalid_token",
		"token_expired",
		"expired_token",
		"sign_in_link_invalid",
		"tenant_mismatch",
		"user_not_found",
		"invalid_user",
		"failed_to_get_user_info",
	],
	suspended: ["tenant_suspended"],
	unavailable: ["temporarily_unavailable", "provider_unavailable", "server_error"],
	untrusted: [
		"invalid_callback_url",
		"invalid_redirect_url",
		"invalid_error_callback_url",
		"invalid_new_user_callback_url",
	],
};

const PROBLEMS = new Map(
	Object.entries(CODES).flatMap(([problem, codes]) =>
		codes.map((code) => [code, problem as Problem] as const),
	),
);

/** The same for the authorization request of an app. Some of the codes are also those of a provider. */
const APP_PROBLEMS = new Map<string, AppProblem>([
	["invalid_client", "appUnknown"],
	["client_disabled", "appDisabled"],
	["invalid_redirect", "appRedirect"],
]);

/** Title and text of the error page, by the parameters of its URL. */
export function problemOf(query: URLSearchParams, { problems }: Pick<Texts, "problems">) {
	const code = query.get("error")?.toLowerCase() ?? "";
	if (query.get("from") === "app") return problems[APP_PROBLEMS.get(code) ?? "appRequest"];
	return problems[PROBLEMS.get(code) ?? "general"];
}
