import { guarded } from "../../call/network/guarded-fetch";
import { findAddressProblem } from "../../call/network/public-hosts";

export interface ProviderFetchOptions {
	/** Whether the server may be in a private network, and use http. */
	allowPrivate: boolean;
	/** What the header `accept` says. */
	accept: string;
	/**
	 * The largest response, in bytes, uncompressed.
	 *
	 * @default 1 MiB
	 */
	maxBytes?: number;
	/** Sent as a form, with POST. */
	form?: Readonly<Record<string, string>>;
	/**
	 * The time for the whole request, in milliseconds. At most ten seconds.
	 *
	 * @default 10_000
	 */
	timeout?: number;
	/** A redirect is a response too. Without it, a redirect is an error. It is never followed. */
	returnsRedirects?: true;
}

export interface FetchedDocument {
	status: number;
	headers: Headers;
	body: string;
}

/**
 * Why the server must not send requests to a URL that a tenant chose, or `null` if it may. Unlike an issuer,
 * the URL may have a query.
 */
export function findProviderUrlProblem(value: string, allowPrivate: boolean): string | null {
	if (!URL.canParse(value) || value.includes("#")) return "is not valid";
	const url = new URL(value);
	url.search = "";
	return findAddressProblem(url, allowPrivate);
}

/**
 * Reads a document from a server that a tenant chose, or sends a form to it, with the limits that protect the
 * requests to OpenID Connect providers: public addresses only, no redirects, ten seconds. Do not show its errors to the tenant:
 * they would reveal which ports of a host are open.
 *
 * @throws Error
 * @example
 * ```ts
 * const { status, body } = await fetchFromProvider(url, { allowPrivate: false, accept: "text/xml" });
 * ```
 */
export function fetchFromProvider(
	url: string,
	{ accept, form, timeout, ...limits }: ProviderFetchOptions,
): Promise<FetchedDocument> {
	return guarded(limits, async () => {
		const problem = findProviderUrlProblem(url, limits.allowPrivate);
		if (problem) throw new TypeError(`The URL ${problem}`);
		const limit = new AbortController();
		const timer =
			timeout === undefined
				? undefined
				: setTimeout(() => limit.abort(new Error(`No response within ${timeout} ms`)), timeout);
		try {
			const response = await fetch(url, {
				headers: { accept },
				signal: limit.signal,
				...(form ? { method: "POST", body: new URLSearchParams(form) } : {}),
			});
			const { status, headers } = response;
			// Read in any case: the limits end with the body.
			return { status, headers, body: await response.text() };
		} finally {
			clearTimeout(timer);
		}
	});
}
