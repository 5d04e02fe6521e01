import { guarded, type Limits } from "../../call/network/guarded-fetch";

/** Reads JSON from a server that a tenant chose. */
export function readJson(
	url: string,
	limits: Limits,
	headers: Record<string, string> = {},
): Promise<unknown> {
	return guarded(limits, async () => {
		const response = await fetch(url, { headers: { accept: "application/json", ...headers } });
		// Read in any case: the limits end with the body.
		const body = await response.text();
		if (!response.ok) throw new Error(`A tenant's provider responded with ${response.status}`);
		const json: unknown = JSON.parse(body);
		return json;
	});
}

/**
 * Keeps what `load` returns for some time. Calls at once may load more than once: in Workers, a call must
 * not wait for the request of another one.
 */
export function keptFor<T>(milliseconds: number, load: () => Promise<T>): () => Promise<T> {
	let kept: { value: T; until: number } | null = null;
	return async () => {
		if (kept && Date.now() < kept.until) return kept.value;
		const value = await load();
		kept = { value, until: Date.now() + milliseconds };
		return value;
	};
}
