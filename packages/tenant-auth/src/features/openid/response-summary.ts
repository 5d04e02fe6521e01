/** What a provider said to a request of a connection test. */
export interface ResponseSummary {
	status: number;
	/** Where the provider redirects to. */
	location: URL | null;
	/** The code of the error, such as `invalid_client`. */
	code: string | null;
	/** The provider's own words, as plain text and not too long; `""` if it said nothing. */
	words: string;
}

const MAX_WORDS_LENGTH = 200;

/** Error codes that providers write into their error pages. Those of Entra are numbers. */
const CODES_IN_PAGES =
	/\b(?:redirect_uri_mismatch|invalid_redirect_uri|invalid_client(?:_id)?|unauthorized_client|AADSTS\d{5,8})\b/;

/**
 * Reads a response. The provider may repeat what we sent, so secrets are removed from its words.
 *
 * @param url where the request went
 */
export async function summarize(
	response: Response,
	url: string,
	secrets: readonly string[],
): Promise<{ summary: ResponseSummary; response: Response }> {
	const { status, headers } = response;
	const body = await response.text();
	const target = headers.get("location");
	const location = target !== null && URL.canParse(target, url) ? new URL(target, url) : null;
	const found = { ...findInJson(body), ...findInUrl(location) };
	const code = found.error ?? CODES_IN_PAGES.exec(body)?.[0] ?? null;
	const words = toWords(found.error_description ?? code ?? "", secrets);
	return {
		summary: { status, location, code, words },
		response: new Response(body === "" ? null : body, response),
	};
}

interface OAuthError {
	error?: string;
	error_description?: string;
}

/** @see https://www.rfc-editor.org/rfc/rfc6749#section-5.2 */
function findInJson(body: string): OAuthError {
	try {
		const parsed: unknown = JSON.parse(body);
		return typeof parsed === "object" && parsed !== null ? pick(Object.entries(parsed)) : {};
	} catch {
		return {};
	}
}

/** @see https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2.1 */
function findInUrl(location: URL | null): OAuthError {
	if (!location) return {};
	const found = pick([...new URLSearchParams(location.hash.slice(1)), ...location.searchParams]);
	const googles = location.searchParams.get("authError");
	return googles === null ? found : { ...findInGoogles(googles), ...found };
}

/** Google sends the user to its own error page, with the code and a sentence in an encoded message. */
function findInGoogles(encoded: string): OAuthError {
	try {
		const decoded = atob(encoded.replaceAll("-", "+").replaceAll("_", "/"));
		const [error] = /[a-z]+(?:_[a-z]+)+/.exec(decoded) ?? [];
		return error === undefined ? {} : { error };
	} catch {
		return {};
	}
}

function pick(entries: [string, unknown][]): OAuthError {
	const found = new Map(entries);
	const [error, error_description] = [found.get("error"), found.get("error_description")];
	return {
		...(typeof error === "string" ? { error } : {}),
		...(typeof error_description === "string" ? { error_description } : {}),
	};
}

function toWords(text: string, secrets: readonly string[]): string {
	const plain = secrets
		.filter((secret) => secret !== "")
		.reduce((rest, secret) => rest.replaceAll(secret, "…"), text)
		.replaceAll(/<[^>]*>?/g, " ")
		.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, " ")
		.trim();
	return [...plain].slice(0, MAX_WORDS_LENGTH).join("");
}
