/** The file with the test that has the name of the module, or why the module does not apply. */
type Module = `${string}.test.ts` | { reason: string };

const CONFORMANCE = "openid-conformance.test.ts";
const LOGOUT = "openid-logout-conformance.test.ts";

const BACKCHANNEL = "backchannel-logout-conformance.test.ts";

const NO_SUCH_SCOPE = {
	reason: "The scope is not announced, so the suite skips it. The service stores no such data.",
};

/** The test plans of the OpenID Foundation that the service is meant to pass, module by module. */
export const PLANS: Record<string, Record<string, Module>> = {
	"oidcc-basic-certification-test-plan": {
		"oidcc-server": CONFORMANCE,
		"oidcc-response-type-missing": CONFORMANCE,
		"oidcc-idtoken-signature": CONFORMANCE,
		"oidcc-idtoken-unsigned": {
			reason: "ID tokens are always signed: the only algorithm that is announced is RS256.",
		},
		"oidcc-userinfo-get": CONFORMANCE,
		"oidcc-userinfo-post-header": CONFORMANCE,
		"oidcc-userinfo-post-body": CONFORMANCE,
		"oidcc-ensure-request-without-nonce-succeeds-for-code-flow": CONFORMANCE,
		"oidcc-scope-profile": CONFORMANCE,
		"oidcc-scope-email": CONFORMANCE,
		"oidcc-scope-address": NO_SUCH_SCOPE,
		"oidcc-scope-phone": NO_SUCH_SCOPE,
		"oidcc-scope-all": CONFORMANCE,
		"oidcc-alternate-happy-flow": CONFORMANCE,
		"oidcc-display-page": CONFORMANCE,
		"oidcc-display-popup": CONFORMANCE,
		"oidcc-prompt-login": CONFORMANCE,
		"oidcc-prompt-none-not-logged-in": CONFORMANCE,
		"oidcc-prompt-none-logged-in": CONFORMANCE,
		"oidcc-max-age-1": CONFORMANCE,
		"oidcc-max-age-10000": CONFORMANCE,
		"oidcc-ensure-request-with-unknown-parameter-succeeds": CONFORMANCE,
		"oidcc-id-token-hint": CONFORMANCE,
		"oidcc-login-hint": CONFORMANCE,
		"oidcc-ui-locales": CONFORMANCE,
		"oidcc-claims-locales": CONFORMANCE,
		"oidcc-ensure-request-with-acr-values-succeeds": CONFORMANCE,
		"oidcc-codereuse": CONFORMANCE,
		"oidcc-codereuse-30seconds": {
			reason: "A test does not wait 30 seconds. A code is deleted by its first use, at any time.",
		},
		"oidcc-ensure-registered-redirect-uri": CONFORMANCE,
		"oidcc-ensure-post-request-succeeds": CONFORMANCE,
		"oidcc-server-client-secret-post": CONFORMANCE,
		"oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported": CONFORMANCE,
		"oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported": CONFORMANCE,
		"oidcc-claims-essential": CONFORMANCE,
		"oidcc-ensure-request-object-with-redirect-uri": CONFORMANCE,
		"oidcc-refresh-token": CONFORMANCE,
		"oidcc-ensure-request-with-valid-pkce-succeeds": CONFORMANCE,
	},
	"oidcc-config-certification-test-plan": {
		"oidcc-discovery-endpoint-verification": CONFORMANCE,
	},
	"oidcc-rp-initiated-logout-certification-test-plan": {
		"oidcc-rp-initiated-logout-discovery-endpoint-verification": LOGOUT,
		"oidcc-rp-initiated-logout": LOGOUT,
		"oidcc-rp-initiated-logout-bad-post-logout-redirect-uri": LOGOUT,
		"oidcc-rp-initiated-logout-modified-id-token-hint": LOGOUT,
		"oidcc-rp-initiated-logout-no-id-token-hint": LOGOUT,
		"oidcc-rp-initiated-logout-no-params": LOGOUT,
		"oidcc-rp-initiated-logout-no-post-logout-redirect-uri": LOGOUT,
		"oidcc-rp-initiated-logout-no-state": LOGOUT,
		"oidcc-rp-initiated-logout-only-state": LOGOUT,
		"oidcc-rp-initiated-logout-query-added-to-post-logout-redirect-uri": LOGOUT,
		"oidcc-rp-initiated-logout-bad-id-token-hint": LOGOUT,
	},
	"oidcc-backchannel-rp-initiated-logout-certification-test-plan": {
		"oidcc-backchannel-logout-discovery-endpoint-verification": BACKCHANNEL,
		"oidcc-backchannel-rp-initiated-logout": BACKCHANNEL,
	},
};
