import type { ProviderProblemCode } from "better-auth-tenant/rules";

/** What was wrong with the response of a provider, and what an administrator can check. */
export const PROVIDER_PROBLEM_TEXTS: Record<ProviderProblemCode, string> = {
	no_id_token: "The provider sent no ID token. Check that the client may use the scope openid.",
	invalid_id_token: "The provider sent an ID token that cannot be read.",
	wrong_issuer: "The ID token has another issuer. Check the issuer URL.",
	wrong_audience: "The ID token was issued to another client. Check the client ID.",
	wrong_nonce: "The ID token belongs to another sign-in.",
	wrong_algorithm: "The ID token is signed with an algorithm that is not allowed.",
	unknown_key: "The ID token is signed with a key that the provider does not publish.",
	wrong_signature: "The signature of the ID token is wrong.",
	token_expired: "The ID token has expired. Check the clocks of the provider and of this service.",
	token_not_valid_yet:
		"The ID token is not valid yet. Check the clocks of the provider and of this service.",
	missing_claim: "The ID token does not say who the user is, or when it was issued or expires.",
	keys_unavailable: "The keys of the provider could not be loaded.",
	user_info_unavailable: "The request for the user's profile failed.",
	user_info_of_another_user: "The provider returned the profile of another user.",
	invalid_email: "The provider returned an email that is not an email address.",
	invalid_account_id: "The provider returned an account ID that is too long.",
};
