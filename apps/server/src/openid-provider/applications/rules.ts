import { APIError } from "better-auth/api";
import { findProviderUrlProblem } from "better-auth-tenant/openid";
import {
	type Application,
	type ApplicationSettings,
	type ApplicationType,
	hasKeys,
	hasSecret,
	isWebUri,
	USER_SCOPES,
} from "./application";
import { fillPlaceholder, hasPlaceholder } from "./tenant-placeholder";

/** What the settings of the service say about applications. */
export type ServiceRules = {
	apiScopes: readonly string[];
	/** Whether the server may send requests to private addresses, and use http. */
	allowPrivateHosts: boolean;
	/** Whether they may require DPoP. */
	dpop: boolean;
};

/** What an application of a type can ask for. */
export const scopesOf = (type: ApplicationType, apiScopes: readonly string[]): string[] =>
	type === "machine" ? [...apiScopes] : [...new Set([...USER_SCOPES, ...apiScopes])];

/** @throws APIError `INVALID_APPLICATION` if the settings do not fit the type */
export function requireUsable(
	type: ApplicationType,
	settings: ApplicationSettings,
	{
		apiScopes,
		dpop,
		isServiceWide,
	}: Omit<ServiceRules, "allowPrivateHosts"> & { isServiceWide: boolean },
): void {
	const { redirectUris, postLogoutRedirectUris, allowedOrigins, scopes, requirePkce } = settings;
	const { backchannelLogoutUri, deviceFlow } = settings;
	const possible = scopesOf(type, apiScopes);
	const unknown = scopes.find((scope) => !possible.includes(scope));
	if (unknown !== undefined) {
		throw refused(`An application of type ${type} cannot have the scope ${unknown}`);
	}
	const uris = [...redirectUris, ...postLogoutRedirectUris, ...allowedOrigins];
	if (backchannelLogoutUri !== null) uris.push(backchannelLogoutUri);
	if (!isServiceWide && uris.some(hasPlaceholder)) {
		throw refused("Only service-wide applications can have {tenant} in their URIs");
	}
	// They would match only themselves (RFC 9700, section 2.1).
	if (uris.some((uri) => uri.includes("*"))) {
		throw refused("URIs are compared as they are: they cannot contain wildcards");
	}
	if (hasKeys(settings) && !hasSecret(type)) {
		throw refused(`An application of type ${type} cannot keep a private key`);
	}
	if (settings.jwks !== null && settings.jwksUri !== null) {
		throw refused("An application has either jwks or jwksUri");
	}
	if (settings.dpop && !dpop) throw refused("DPoP is off: it is a setting of the service");
	// A page in a browser does not need it, and a program without users has nobody to ask.
	if (deviceFlow && type !== "web" && type !== "native") {
		throw refused(`An application of type ${type} cannot use the device flow`);
	}
	if (type === "machine") {
		if (redirectUris.length > 0) throw refused("An application without users has no redirect URIs");
		if (backchannelLogoutUri !== null)
			throw refused("An application without users has no sign-outs");
		return;
	}
	if (redirectUris.length === 0 && !deviceFlow)
		throw refused("redirectUris must contain at least one URI");
	const isPage = [...redirectUris, ...postLogoutRedirectUris].every(isWebUri);
	if (type !== "native" && !isPage) {
		throw refused("Only native applications can have private schemes in their URIs");
	}
	if (!hasSecret(type) && !requirePkce) {
		throw refused("An application without a secret must use PKCE");
	}
}

type Targets = { [Name in "backchannelLogoutUri" | "jwksUri"]?: string | null | undefined };

/**
 * The server sends requests to these URIs. When it does, it checks the address again.
 *
 * @throws APIError `INVALID_APPLICATION`
 */
export function requireReachable(
	{ backchannelLogoutUri, jwksUri }: Targets,
	allowPrivateHosts: boolean,
): void {
	for (const [name, uri] of Object.entries({ backchannelLogoutUri, jwksUri })) {
		const problem = uri && findProviderUrlProblem(fillPlaceholder(uri), allowPrivateHosts);
		if (problem) throw refused(`${name} ${problem}`);
	}
}

export const requireSecretOf = (application: Application): void => {
	const { type } = application;
	if (!hasSecret(type)) throw refused(`An application of type ${type} has no secret`);
	if (hasKeys(application)) throw refused("The application authenticates with keys");
};

const refused = (message: string) =>
	new APIError("BAD_REQUEST", { code: "INVALID_APPLICATION", message });
