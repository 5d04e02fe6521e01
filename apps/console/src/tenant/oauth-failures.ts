type Failure = { title: string; text: string };

const declined: Failure = {
	title: "You were not signed in",
	text: "The sign-in was cancelled before it was finished. You can try again, or choose another way.",
};
const lost: Failure = {
	title: "That took too long, or began elsewhere",
	text: "A sign-in has to be finished in the browser it began in, within a few minutes. Please start again.",
};
const misconfigured: Failure = {
	title: "This way of signing in does not work just now",
	text: "The provider could not be used as it is set up at the moment. Please choose another way, or tell your administrator.",
};
const noAddress: Failure = {
	title: "The provider told us no e-mail address",
	text: "An account needs one. Allow the provider to share your address, or choose another way to sign in.",
};
const otherOwner: Failure = {
	title: "This account could not be linked",
	text: "An account with this address exists already, or the provider’s account belongs to somebody else here. Sign in the way you did before; then you can link the provider under “Account”.",
};

/** In the spelling of the query that a failed flow comes back with, in plain words. */
const failures: Record<string, Failure> = {
	access_denied: declined,
	user_cancelled_login: declined,
	user_cancelled_authorize: declined,
	consent_required: declined,
	login_required: declined,
	state_mismatch: lost,
	state_not_found: lost,
	state_security_mismatch: lost,
	state_invalid: lost,
	please_restart_the_process: lost,
	invalid_callback_request: lost,
	no_code: lost,
	invalid_code: misconfigured,
	invalid_client: misconfigured,
	unauthorized_client: misconfigured,
	invalid_request: misconfigured,
	invalid_scope: misconfigured,
	redirect_uri_mismatch: misconfigured,
	issuer_mismatch: misconfigured,
	issuer_missing: misconfigured,
	nonce_binding_missing: misconfigured,
	unable_to_get_user_info: misconfigured,
	oauth_provider_not_found: misconfigured,
	provider_not_found: misconfigured,
	oauth_credential_decrypt_failed: misconfigured,
	no_callback_url: misconfigured,
	email_not_found: noAddress,
	email_is_missing: noAddress,
	account_not_linked: otherOwner,
	account_already_linked_to_different_user: otherOwner,
	linking_not_allowed: otherOwner,
	linking_different_emails_not_allowed: otherOwner,
	"email_doesn't_match": otherOwner,
	email_does_not_match: otherOwner,
	unable_to_link_account: {
		title: "This account could not be linked",
		text: "The provider does not vouch for the e-mail address of that account, so it cannot be joined with yours. Sign in the way you did before.",
	},
	oauth_config_changed: {
		title: "The sign-in was changed meanwhile",
		text: "The settings of this provider were changed while you were signing in. Please start again.",
	},
	email_not_verified: {
		title: "Your address is not confirmed",
		text: "The provider says that this e-mail address was never confirmed. Confirm it there, then try again.",
	},
	signup_disabled: {
		title: "There is no account for you yet",
		text: "New accounts cannot be made this way. Please ask your administrator for an invitation.",
	},
	tenant_suspended: {
		title: "Sign-in is paused",
		text: "This organisation’s accounts are suspended for the time being. Nothing has been deleted.",
	},
	temporarily_unavailable: {
		title: "The provider is not available",
		text: "It asks you to try again in a few minutes.",
	},
};

const unknown: Failure = {
	title: "Signing in did not work",
	text: "Something went wrong on the way. Please try again, or choose another way to sign in.",
};

export function oauthFailure(code: string | null): Failure {
	const key = code?.toLowerCase() ?? "";
	return Object.hasOwn(failures, key) ? (failures[key] as Failure) : unknown;
}
