import type { OAuthProvider } from "@better-auth/core/oauth2";
import { generateRandomString } from "better-auth/crypto";
import { guarded, type Limits } from "../../call/network/guarded-fetch";
import type { Credentials } from "../../management/oauth-clients/cipher";
import { failed, type Outcome, passed, unknown } from "./connection-step";
import type { ProviderMetadata } from "./provider-metadata";
import { type ResponseSummary, summarize } from "./response-summary";

/** The provider of a config. */
export interface Tested {
	provider: OAuthProvider;
	/** For a tenant's own OpenID Connect provider. */
	metadata?: () => Promise<ProviderMetadata>;
}

/** A config that is tested. */
export interface Target {
	tested: Tested;
	credentials: Credentials;
	redirectURI: string;
	limits: Limits;
	/** The same client with credentials that are certainly wrong. */
	wrong: OAuthProvider;
}

/** For every reason the same: the test must not reveal which ports of a host are open. */
const UNREACHABLE = failed("The provider did not respond");

/** What a provider returns for `prompt=none` if nobody is signed in. It has accepted the request. */
const NEEDS_A_PERSON = new Set([
	"login_required",
	"interaction_required",
	"consent_required",
	"account_selection_required",
]);

/** Errors that only a wrong client or redirect URI causes. */
const REJECTS_CLIENT = new Set([
	"invalid_client",
	"invalid_client_id",
	"unauthorized_client",
	"redirect_uri_mismatch",
	"invalid_redirect_uri",
	"unsupported_response_type",
	"invalid_scope",
]);

/** Starts a sign-in that must not show a page. The response goes to the redirect URI only if it is known. */
export async function testRedirectUri({ tested, ...target }: Target): Promise<Outcome> {
	const { redirectURI, credentials, limits } = target;
	const url = await startSignIn(tested.provider, redirectURI).catch(() => null);
	if (!url) return failed("A sign-in cannot start with these settings");
	const ask = async () => {
		const response = await fetch(url, { headers: { accept: "text/html" } });
		return (await summarize(response, url.href, [credentials.clientSecret])).summary;
	};
	const summary = await guarded({ ...limits, returnsRedirects: true }, ask).catch(() => null);
	if (!summary) return UNREACHABLE;
	const { code, location, status } = summary;
	const isOurs = location !== null && pathOf(location) === pathOf(new URL(redirectURI));
	if (isOurs && code !== null && NEEDS_A_PERSON.has(code)) {
		return passed(`The provider knows the client and the redirect URI ${redirectURI}`);
	}
	if (code !== null && (REJECTS_CLIENT.has(code) || code.startsWith("AADSTS"))) {
		return failed(`The provider rejects the client or ${redirectURI}: ${wordsOf(summary)}`);
	}
	// OpenID providers know `prompt=none`. To others it may be a mistake of ours.
	const isError = isOurs ? code !== null : [400, 401, 404, 422].includes(status);
	if (tested.metadata && isError) {
		return failed(`The provider rejects the client or ${redirectURI}: ${wordsOf(summary)}`);
	}
	return unknown("Only a sign-in shows whether the provider knows the redirect URI");
}

/** The error of a built-in provider is its own, and may contain anything. */
async function startSignIn(provider: OAuthProvider, redirectURI: string): Promise<URL> {
	return provider.createAuthorizationURL({
		state: generateRandomString(32),
		codeVerifier: generateRandomString(64),
		idTokenNonce: generateRandomString(32),
		redirectURI,
		additionalParams: { prompt: "none" },
	});
}

const pathOf = ({ origin, pathname }: URL) => origin + pathname;

const wordsOf = ({ status, code, words }: ResponseSummary) =>
	[code ?? `status ${status}`, ...(words !== "" && words !== code ? [words] : [])].join(": ");

const CLIENT_ERRORS = new Set([
	"invalid_client",
	"unauthorized_client",
	"incorrect_client_credentials",
]);
const CODE_ERRORS = new Set(["invalid_grant", "bad_verification_code"]);

/**
 * Sends a code that is certainly wrong. If the provider complains about the code, it may have accepted the
 * client before. That is proven only if it rejects a client that is certainly wrong.
 */
export async function testClient(target: Target): Promise<Outcome> {
	const summary = await askForToken(target.tested.provider, target);
	if (!summary) return UNREACHABLE;
	if (summary === "accepted") return failed("The provider accepts a code that it did not issue");
	const said = wordsOf(summary);
	if (rejectsClient(summary)) return failed(`The provider rejects the client: ${said}`);
	if (summary.code === null || !CODE_ERRORS.has(summary.code)) {
		return unknown(`Only a sign-in shows whether the client is accepted: ${said}`);
	}
	const control = await askForToken(target.wrong, target);
	if (control && control !== "accepted" && rejectsClient(control)) {
		return passed("The provider accepts the client");
	}
	return unknown(
		"The provider does not check the client before the code, so only a sign-in shows it",
	);
}

const rejectsClient = ({ code, status }: ResponseSummary) =>
	code === null ? status === 401 : CLIENT_ERRORS.has(code);

async function askForToken(
	provider: OAuthProvider,
	{ redirectURI, credentials, limits }: Target,
): Promise<ResponseSummary | "accepted" | null> {
	const code = generateRandomString(32);
	const codeVerifier = generateRandomString(64);
	const secrets = [credentials.clientSecret, code, codeVerifier];
	let found: ResponseSummary | null = null;
	const inspect = async (original: Response) => {
		const { summary, response } = await summarize(original, redirectURI, secrets);
		found ??= summary;
		return response;
	};
	const tokens = await guarded({ ...limits, inspect }, () =>
		provider.validateAuthorizationCode({ code, codeVerifier, redirectURI }),
	).catch(() => null);
	return tokens?.accessToken ? "accepted" : found;
}
