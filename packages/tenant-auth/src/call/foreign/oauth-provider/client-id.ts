import type { SentCall } from "../endpoint-rules";

/** The client id that a call presents, in the ways of the protocol. Nothing of it is verified here. */
export function findClientId({ headers, query, body }: SentCall): string | null {
	const input = { ...asRecord(query), ...asRecord(body) };
	const authorization = headers?.get("authorization") ?? "";
	const bearer = authorization.match(/^(?:bearer|dpop) +(\S+)$/i)?.[1];
	const candidates = [
		input.client_id,
		userOfBasic(authorization),
		claimsOf(input.client_assertion).sub,
		...[claimsOf(input.id_token_hint).aud].flat(),
		claimsOf(bearer ?? input.access_token).client_id,
		claimsOf(bearer ?? input.access_token).azp,
	];
	const clientId = candidates.find((it) => typeof it === "string" && it !== "");
	// PostgreSQL fails on a NUL in a parameter, and no client has one.
	return typeof clientId === "string" && !clientId.includes("\0") ? clientId : null;
}

/** RFC 6749, section 2.3.1: both parts are form-encoded before they are joined. */
function userOfBasic(authorization: string): string | undefined {
	const encoded = authorization.match(/^basic +(\S+)$/i)?.[1];
	if (!encoded) return undefined;
	try {
		const [user = ""] = atob(encoded).split(":", 1);
		return decodeURIComponent(user.replaceAll("+", " "));
	} catch {
		return undefined;
	}
}

function claimsOf(token: unknown): Record<string, unknown> {
	const payload = typeof token === "string" ? token.split(".")[1] : undefined;
	if (!payload) return {};
	try {
		return asRecord(JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/"))));
	} catch {
		return {};
	}
}

const asRecord = (value: unknown): Record<string, unknown> =>
	typeof value === "object" && value !== null ? { ...value } : {};
