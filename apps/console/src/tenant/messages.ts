import { ApiError } from "../api/api-error";

const said: Record<string, string> = {
	INVALID_EMAIL_OR_PASSWORD: "The address or the password is not right.",
	INVALID_EMAIL: "This does not look like an e-mail address.",
	INVALID_PASSWORD: "The password is not right.",
	PASSWORD_TOO_SHORT: "This password is too short.",
	PASSWORD_TOO_LONG: "This password is too long.",
	USER_ALREADY_EXISTS: "There is an account with this address already. Sign in instead.",
	USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL:
		"There is an account with this address already. Sign in instead.",
	EMAIL_NOT_VERIFIED: "Your address has not been confirmed yet.",
	INVALID_TOKEN: "This link has been used already, or it has expired.",
	TOKEN_EXPIRED: "This link has expired.",
	SESSION_EXPIRED: "You have been signed out. Please sign in again.",
	SESSION_NOT_FRESH: "Please sign out and in again, then repeat this step.",
	FAILED_TO_UNLINK_LAST_ACCOUNT: "This is your only way to sign in, so it has to stay.",
	PASSWORD_QUEUE_FULL: "Many people are signing in just now. Please try again in a moment.",
	PROVIDER_NOT_FOUND: "This way of signing in is not available any more.",
};

/** What to tell a user about a failed call. */
export function messageOf(error: unknown): string {
	if (!(error instanceof ApiError)) return "Something went wrong. Please try again.";
	const known = said[error.code];
	if (known) return known;
	if (error.status === 429) return "Too many attempts. Please wait a moment and try again.";
	if (error.status >= 500) return "Something went wrong on our side. Please try again.";
	return error.message;
}

export const hasCode = (error: unknown, ...codes: string[]) =>
	error instanceof ApiError && codes.includes(error.code);
