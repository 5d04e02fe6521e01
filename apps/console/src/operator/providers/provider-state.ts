import type { EffectiveProvider } from "../api/providers";

type State = {
	label: string;
	kind: "success" | "info" | "warning" | "danger" | "neutral";
	why: string;
};

/** What a sign-in would use, and why. */
export function stateOf({ source, config }: EffectiveProvider): State {
	if (config === "unreadable") {
		return {
			label: "Not working",
			kind: "danger",
			why: "The stored credentials cannot be opened, and no other client takes their place. Replace them.",
		};
	}
	if (source === "tenant") {
		return {
			label: "Tenant's own client",
			kind: "success",
			why: "Sign-in uses the client that is registered for this tenant.",
		};
	}
	if (source === "global") {
		const why =
			config === "disabled"
				? "The tenant's own client is switched off, so sign-in uses the service's."
				: "The tenant has no client of its own, so sign-in uses the service's.";
		return { label: "Service's client", kind: "info", why };
	}
	return {
		label: "Off",
		kind: "neutral",
		why: "The tenant's client is switched off, and the service has none: nobody can sign in with it.",
	};
}

const FAILURES: Record<string, string> = {
	invalid_client: "The provider does not accept the client id or secret.",
	unauthorized_client: "The provider does not let this client sign users in.",
	redirect_uri_mismatch: "The callback URL is not registered at the provider.",
	invalid_scope: "The provider does not know a scope, or does not allow it.",
	invalid_request: "The provider refused the request.",
	unsupported_response_type: "The provider does not offer this kind of sign-in to the client.",
	server_error: "The provider had an error.",
	temporarily_unavailable: "The provider was not available.",
	invalid_code: "The provider did not exchange the code: secret or callback URL may be wrong.",
	issuer_mismatch: "The answer came from another issuer than expected.",
	unable_to_get_user_info: "The provider did not tell who signed in.",
	email_not_found: "The provider told no e-mail address.",
	oauth_credential_decrypt_failed: "The stored credentials cannot be opened.",
	internal_server_error: "The service had an error.",
};

export const failureInWords = (code: string): string => FAILURES[code] ?? "The sign-in failed.";
