/**
 * What an endpoint of Better Auth lets somebody try often:
 *
 * - `sign-in`: a password or another proof of who they are
 * - `second-factor`: a short code
 * - `sign-up`: to create an account
 * - `mail`: to send an email to an address that the caller chooses
 */
export type LimitedKind = "sign-in" | "second-factor" | "sign-up" | "mail";

/** The first pattern that matches decides. */
const PATTERNS: readonly [RegExp, LimitedKind][] = [
	[/^\/(request-password-reset|send-verification-email|forget-password)(\/|$)/, "mail"],
	[/^\/(sign-in\/magic-link|change-email|delete-user)$/, "mail"],
	[/^\/(email-otp|two-factor|phone-number)\/(send|request)-/, "mail"],
	[/^\/(email-otp|two-factor|phone-number)\//, "second-factor"],
	[/^\/sign-in\/(email-otp|phone-number)$/, "second-factor"],
	// The code that a device shows.
	[/^\/device(\/(approve|deny))?$/, "second-factor"],
	[/^\/sign-in\//, "sign-in"],
	[/^\/passkey\/verify-authentication$/, "sign-in"],
	[/^\/(verify-password|change-password|reset-password)$/, "sign-in"],
	[
		/^\/operator\/account\/(change-password|set-up-second-factor|create-recovery-codes)$/,
		"sign-in",
	],
	[/^\/operator\/confirm$/, "sign-in"],
	[/^\/operator\/account\/confirm-second-factor$/, "second-factor"],
	[/^\/sign-up\//, "sign-up"],
];

/** @param path of core or of a plugin, without the base path */
export function limitedKindOf(path: string): LimitedKind | null {
	return PATTERNS.find(([pattern]) => pattern.test(path))?.[1] ?? null;
}

/**
 * Whether the body of a request says whose account it is about. Elsewhere it is the user of the session: an
 * endpoint ignores fields that it does not know, so a client could have a new account in each request.
 */
export const namesAccount = (path: string): boolean =>
	limitedKindOf(path) === "mail" || /^\/(sign-in|email-otp)\//.test(path);
