import type { AuthContext } from "@better-auth/core";
import type { OAuthProvider } from "@better-auth/core/oauth2";

/**
 * The config of an identity provider that a tenant registered itself. Its settings have the right kinds, and
 * their URLs are allowed.
 */
export interface OwnProviderConfig {
	/** Such as `oidc:okta`. */
	providerId: string;
	settings: Readonly<Record<string, unknown>>;
}

/** A config that is going to be saved. */
export interface SavedOwnProvider extends OwnProviderConfig {
	tenantId: string;
	/** Whether the caller gives the settings. Otherwise they stay as they are. */
	hasNewSettings: boolean;
	/** A public client has no secret. */
	hasSecret: () => Promise<boolean>;
	/** Whether the provider may be in a private network. */
	allowPrivate: boolean;
}

/** The client of a tenant at its own provider. */
export interface OwnProviderClient extends OwnProviderConfig {
	/** The first one is used for redirects. The others are of native apps. */
	clientIds: readonly string[];
	/** `""` for a public client. */
	clientSecret: string;
	scopes: readonly string[];
	redirectURI: string | null;
	/** Whether the provider may be in a private network. */
	allowPrivate: boolean;
	/** Gives the user who signs in with this call a role in the tenant. */
	setRole: (role: string) => void;
}

export interface BuiltOwnProvider {
	/** It may throw an `APIError` when a sign-in starts, if the provider cannot be used. */
	provider: OAuthProvider;
	/** Whether a response to the redirect URI is not known to come from the provider. */
	isForeignResponse: (response: Record<string, unknown> | undefined) => Promise<boolean>;
}

/**
 * Lets tenants register identity providers of their own, with ids that begin with `oidc:`. `tenantAuth()`
 * stores the configs and their secrets, checks their settings and URLs, binds each flow to its config, and
 * keeps accounts of different issuers apart.
 */
export interface OwnProviders {
	/**
	 * Runs before a config is saved, outside of a transaction. So it may ask the provider. It throws an
	 * `APIError` if nobody could sign in with the config, or if the caller must not save it.
	 */
	check: (ctx: AuthContext, config: SavedOwnProvider) => Promise<void>;
	/** Runs once for many calls, so it must keep nothing of a call. */
	build: (client: OwnProviderClient) => BuiltOwnProvider;
	/** What the button of a sign-in page says. */
	nameOf: (config: OwnProviderConfig) => string;
}
