import { APIError } from "better-auth/api";
import {
	type ApplicationSettings,
	type ApplicationType,
	hasSecret,
	isWebUri,
	USER_SCOPES,
} from "./application";
import { hasPlaceholder } from "./tenant-placeholder";

/** What an application of a type can ask for. */
export const scopesOf = (type: ApplicationType, apiScopes: readonly string[]): string[] =>
	type === "machine" ? [...apiScopes] : [...new Set([...USER_SCOPES, ...apiScopes])];

/** @throws APIError `INVALID_APPLICATION` if the settings do not fit the type */
export function requireUsable(
	type: ApplicationType,
	settings: ApplicationSettings,
	{ apiScopes, isServiceWide }: { apiScopes: readonly string[]; isServiceWide: boolean },
): void {
	const { redirectUris, postLogoutRedirectUris, allowedOrigins, scopes, requirePkce } = settings;
	const possible = scopesOf(type, apiScopes);
	const unknown = scopes.find((scope) => !possible.includes(scope));
	if (unknown !== undefined) {
		throw refused(`An application of type ${type} cannot have the scope ${unknown}`);
	}
	const uris = [...redirectUris, ...postLogoutRedirectUris, ...allowedOrigins];
	if (!isServiceWide && uris.some(hasPlaceholder)) {
		throw refused("Only service-wide applications can have {tenant} in their URIs");
	}
	// They would match only themselves (RFC 9700, section 2.1).
	if (uris.some((uri) => uri.includes("*"))) {
		throw refused("URIs are compared as they are: they cannot contain wildcards");
	}
	if (type === "machine") {
		if (redirectUris.length > 0) throw refused("An application without users has no redirect URIs");
		return;
	}
	if (redirectUris.length === 0) throw refused("redirectUris must contain at least one URI");
	const isPage = [...redirectUris, ...postLogoutRedirectUris].every(isWebUri);
	if (type !== "native" && !isPage) {
		throw refused("Only native applications can have private schemes in their URIs");
	}
	if (!hasSecret(type) && !requirePkce) {
		throw refused("An application without a secret must use PKCE");
	}
}

export const requireSecretOf = (type: ApplicationType): void => {
	if (!hasSecret(type)) throw refused(`An application of type ${type} has no secret`);
};

const refused = (message: string) =>
	new APIError("BAD_REQUEST", { code: "INVALID_APPLICATION", message });
