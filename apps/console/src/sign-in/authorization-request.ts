import { useLocation } from "react-router";

export type AuthorizationRequest = {
	clientId: string;
	scopes: string[];
	/** What the server signed. It must be sent back unchanged. */
	signedQuery: string;
	/** The query of the authorization endpoint that continues the request after a sign-in. */
	continueQuery: string;
};

/** The request of an application that brought the user to this page, if one did. */
export function useAuthorizationRequest(): AuthorizationRequest | null {
	return readAuthorizationRequest(useLocation().search);
}

function readAuthorizationRequest(search: string): AuthorizationRequest | null {
	const query = new URLSearchParams(search);
	const clientId = query.get("client_id");
	// An app that names the target itself makes no authorization request.
	if (!clientId || !query.has("sig") || query.has("callbackURL")) return null;
	return {
		clientId,
		scopes: (query.get("scope") ?? "").split(" ").filter(Boolean),
		signedQuery: search.replace(/^\?/, ""),
		// Better Auth accepts no asterisk in a path that it redirects to.
		continueQuery: continuing(query).toString().replaceAll("*", "%2A"),
	};
}

/**
 * These ask for a sign-in. It has happened by then, and they would ask for it again. An application that
 * relies on it checks `auth_time`: a user can change the request anyway.
 */
const SIGN_IN_PROMPTS = new Set(["login", "create", "select_account"]);

function continuing(signed: URLSearchParams): URLSearchParams {
	const query = new URLSearchParams();
	for (const [name, value] of signed) {
		const isOfServer = name === "sig" || name === "exp" || name.startsWith("ba_");
		if (!isOfServer && name !== "prompt" && !(name === "max_age" && value === "0")) {
			query.append(name, value);
		}
	}
	const prompts = (signed.get("prompt") ?? "").split(" ");
	const others = prompts.filter((prompt) => prompt && !SIGN_IN_PROMPTS.has(prompt));
	if (others.length > 0) query.set("prompt", others.join(" "));
	return query;
}
