import { isLoopbackHost } from "@better-auth/core/utils/host";
import { isReverseDomainPrivateUseRedirectUri } from "@better-auth/core/utils/redirect-uri";
import { DEVICE_CODE_GRANT_TYPE } from "@better-auth/oauth-provider";
import * as z from "zod";
import { claimMapping } from "./claim-mapping";
import { givenKeys, readStoredKeys } from "./client-keys";
import { previousSecretUntil } from "./client-secrets";
import { fillPlaceholder, hasPlaceholder, isPlaceholderAllowed } from "./tenant-placeholder";

/**
 * - `web`: runs on a server, and has a secret
 * - `spa`: runs in a browser, and cannot keep a secret
 * - `native`: runs on a phone or a computer, and cannot keep a secret
 * - `machine`: has no users, and gets tokens for itself
 */
export const applicationTypes = ["web", "spa", "native", "machine"] as const;

export type ApplicationType = (typeof applicationTypes)[number];

/** The scopes of OpenID Connect that an application with users can ask for. */
export const USER_SCOPES = ["openid", "profile", "email", "roles", "permissions", "offline_access"];

const MAX_URIS = 50;
const MAX_URI_LENGTH = 2048;

/** An application as callers see it. Its secret is shown only once. */
export const applicationSchema = z.object({
	clientId: z.string().meta({ description: "The client_id of the protocol" }),
	tenantId: z
		.string()
		.nullable()
		.meta({ description: "The tenant; null for a service-wide application" }),
	name: z.string().meta({ description: "What users see on the consent page" }),
	type: z.enum(applicationTypes).meta({ description: "Where it runs" }),
	logoUrl: z.string().nullable().meta({ description: "What users see on the consent page" }),
	redirectUris: z.array(z.string()).meta({ description: "Where users return with a code" }),
	postLogoutRedirectUris: z
		.array(z.string())
		.meta({ description: "Where users return after a sign-out" }),
	backchannelLogoutUri: z
		.string()
		.nullable()
		.meta({ description: "Where it gets a logout token when a session ends" }),
	backchannelLogoutSessionRequired: z
		.boolean()
		.meta({ description: "Whether logout tokens name the session, and not only the user" }),
	allowedOrigins: z
		.array(z.string())
		.meta({ description: "Origins whose pages may call the endpoints of the protocol" }),
	scopes: z.array(z.string()).meta({ description: "What it may ask for" }),
	firstParty: z.boolean().meta({ description: "Whether users are not asked for consent" }),
	requirePkce: z.boolean().meta({ description: "Always true without a secret" }),
	deviceFlow: z.boolean().meta({ description: "Whether devices without a browser can use it" }),
	dpop: z.boolean().meta({ description: "Whether its tokens are always bound to a key of it" }),
	offlineAccess: z
		.boolean()
		.meta({ description: "Whether it may refresh its tokens after the session has expired" }),
	refreshDays: z
		.number()
		.nullable()
		.meta({ description: "How many days after the sign-in it may refresh; null for the default" }),
	accessTokenMinutes: z
		.number()
		.nullable()
		.meta({ description: "How long its access tokens are valid; null for the default" }),
	idTokenMinutes: z
		.number()
		.nullable()
		.meta({ description: "How long its ID tokens are valid; null for the default" }),
	claimsInIdToken: z
		.boolean()
		.meta({ description: "Whether ID tokens have the claims of the scopes profile and email" }),
	claims: z
		.record(z.string(), z.string())
		.meta({ description: "Own claims in its tokens, with where their values come from" }),
	jwks: z
		.object({ keys: z.array(z.record(z.string(), z.unknown())) })
		.nullable()
		.meta({ description: "The public keys with which it authenticates in place of a secret" }),
	jwksUri: z.string().nullable().meta({ description: "Where it publishes such keys" }),
	disabled: z.boolean().meta({ description: "Whether it is refused, with all its tokens" }),
	previousSecretUntil: z
		.date()
		.nullable()
		.meta({ description: "Until when the secret before the last rotation works too" }),
	createdAt: z.date().meta({ description: "When it was created" }),
	updatedAt: z.date().meta({ description: "When it was last changed" }),
});

export type Application = z.output<typeof applicationSchema>;

/** The `referenceId` of a service-wide application. Those of tenants have none. */
export const SERVICE_WIDE = "service";

/** A row of the `oauthClient` table of Better Auth's OAuth provider plugin: the columns that we use. */
export type ClientRow = {
	id: string;
	clientId: string;
	clientSecret?: string | null;
	name?: string | null;
	icon?: string | null;
	redirectUris: string[];
	postLogoutRedirectUris?: string[] | null;
	scopes?: string[] | null;
	clientCredentialsScopes?: string[] | null;
	skipConsent?: boolean | null;
	enableEndSession?: boolean | null;
	requirePKCE?: boolean | null;
	dpopBoundAccessTokens?: boolean | null;
	disabled?: boolean | null;
	tokenEndpointAuthMethod?: string | null;
	/** See {@link StoredKeys}. */
	jwks?: string | null;
	applicationType?: string | null;
	grantTypes?: string[] | null;
	responseTypes?: string[] | null;
	metadata?: unknown;
	referenceId?: string | null;
	createdAt?: Date | null;
	updatedAt?: Date | null;
};

export function toApplication(row: ClientRow, tenantId: string | null): Application {
	const type = typeOf(row);
	const createdAt = row.createdAt ?? new Date(0);
	return {
		clientId: row.clientId,
		tenantId,
		name: row.name ?? "",
		type,
		logoUrl: row.icon ?? null,
		redirectUris: row.redirectUris ?? [],
		postLogoutRedirectUris: row.postLogoutRedirectUris ?? [],
		backchannelLogoutUri: metadataOf(row).backchannel_logout_uri ?? null,
		backchannelLogoutSessionRequired: metadataOf(row).backchannel_logout_session_required ?? true,
		allowedOrigins: allowedOriginsOf(row),
		scopes: (type === "machine" ? row.clientCredentialsScopes : row.scopes) ?? [],
		firstParty: row.skipConsent ?? false,
		requirePkce: row.requirePKCE ?? true,
		dpop: row.dpopBoundAccessTokens ?? false,
		deviceFlow: row.grantTypes?.includes(DEVICE_CODE_GRANT_TYPE) ?? false,
		offlineAccess: metadataOf(row).offline_access ?? hasOfflineAccess(type),
		refreshDays: metadataOf(row).refresh_days ?? null,
		accessTokenMinutes: metadataOf(row).access_token_minutes ?? null,
		idTokenMinutes: metadataOf(row).id_token_minutes ?? null,
		claimsInIdToken: hasClaimsInIdToken(row),
		claims: claimsOf(row),
		...keysOf(row),
		disabled: row.disabled ?? false,
		previousSecretUntil: previousSecretUntil(row.clientSecret),
		createdAt,
		updatedAt: row.updatedAt ?? createdAt,
	};
}

function keysOf(row: ClientRow): Pick<Application, "jwks" | "jwksUri"> {
	if (row.tokenEndpointAuthMethod !== KEY_METHOD) return { jwks: null, jwksUri: null };
	const jwksUri = metadataOf(row).jwks_uri ?? null;
	return { jwks: jwksUri ? null : { keys: readStoredKeys(row.jwks).keys }, jwksUri };
}

/** How an application with keys authenticates (OpenID Connect Core, section 9). */
export const KEY_METHOD = "private_key_jwt";

/** Where an application publishes its keys; `null` if it has a secret, or keys that were given. */
export const jwksUriOf = (row: ClientRow): string | null => keysOf(row).jwksUri;

export const hasKeys = ({ jwks, jwksUri }: Pick<ApplicationSettings, "jwks" | "jwksUri">) =>
	jwks !== null || jwksUri !== null;

function typeOf({ grantTypes, tokenEndpointAuthMethod, applicationType }: ClientRow) {
	if (grantTypes?.includes("client_credentials")) return "machine";
	if (tokenEndpointAuthMethod !== "none") return "web";
	return applicationType === "native" ? "native" : "spa";
}

export const hasSecret = (type: ApplicationType): boolean => type === "web" || type === "machine";

/** The default: a phone is rarely where the browser session is. */
export const hasOfflineAccess = (type: ApplicationType): boolean => type === "native";

type Stored = Pick<
	ApplicationSettings,
	| "backchannelLogoutUri"
	| "backchannelLogoutSessionRequired"
	| "allowedOrigins"
	| "offlineAccess"
	| "refreshDays"
	| "accessTokenMinutes"
	| "idTokenMinutes"
	| "claimsInIdToken"
	| "claims"
	| "jwksUri"
>;

/** The plugin has no column for them, or would use it in a way that is not ours. */
export const storedMetadata = (settings: Stored): string =>
	JSON.stringify({
		backchannel_logout_uri: settings.backchannelLogoutUri,
		backchannel_logout_session_required: settings.backchannelLogoutSessionRequired,
		allowed_origins: settings.allowedOrigins,
		offline_access: settings.offlineAccess,
		refresh_days: settings.refreshDays,
		access_token_minutes: settings.accessTokenMinutes,
		id_token_minutes: settings.idTokenMinutes,
		claims_in_id_token: settings.claimsInIdToken,
		claims: settings.claims,
		jwks_uri: settings.jwksUri,
	});

const metadataSchema = z.object({
	backchannel_logout_uri: z.string().nullish(),
	backchannel_logout_session_required: z.boolean().optional(),
	allowed_origins: z.array(z.string()).optional(),
	offline_access: z.boolean().optional(),
	refresh_days: z.number().nullish(),
	access_token_minutes: z.number().nullish(),
	id_token_minutes: z.number().nullish(),
	claims_in_id_token: z.boolean().optional(),
	claims: z.record(z.string(), z.string()).optional(),
	jwks_uri: z.string().nullish(),
});

/** Some databases return the column as text. */
function metadataOf({ metadata }: Pick<ClientRow, "metadata">): z.output<typeof metadataSchema> {
	const value: unknown = typeof metadata === "string" ? JSON.parse(metadata) : metadata;
	return metadataSchema.safeParse(value).data ?? {};
}

/** Where an application is told that a session has ended, and what; `null` if it does not want to know. */
export function logoutOf(
	row: Pick<ClientRow, "metadata">,
): { uri: string; sessionRequired: boolean } | null {
	const { backchannel_logout_uri: uri, backchannel_logout_session_required: sessionRequired } =
		metadataOf(row);
	return uri ? { uri, sessionRequired: sessionRequired ?? true } : null;
}

export const allowedOriginsOf = (row: Pick<ClientRow, "metadata">): string[] =>
	metadataOf(row).allowed_origins ?? [];

/** Applications from before there was a choice have none. */
export const hasClaimsInIdToken = (row: Pick<ClientRow, "metadata">): boolean =>
	metadataOf(row).claims_in_id_token ?? false;

export const claimsOf = (row: Pick<ClientRow, "metadata">): Record<string, string> =>
	metadataOf(row).claims ?? {};

const parseUri = (text: string): URL | null => {
	// A URL parser drops some of them, and the text is stored as it is.
	if (!isPlaceholderAllowed(text) || /\p{Cc}/u.test(text)) return null;
	const filled = fillPlaceholder(text);
	if (filled.includes("#") || !URL.canParse(filled)) return null;
	const url = new URL(filled);
	return url.username || url.password ? null : url;
};

const isWebUrl = ({ protocol, hostname }: URL) =>
	protocol === "https:" || (protocol === "http:" && isLoopbackHost(hostname));

const uri = (isValid: (url: URL) => boolean, message: string) =>
	z
		.string()
		.max(MAX_URI_LENGTH)
		.refine((text) => {
			const url = parseUri(text);
			return url !== null && isValid(url);
		}, message);

const webUri = uri(
	isWebUrl,
	"must be an https URL without a fragment and a password; http is allowed for loopback hosts only",
);

const nativeUri = uri(
	(url) => isWebUrl(url) || isReverseDomainPrivateUseRedirectUri(url),
	"must be an https URL, an http URL of a loopback host, or a private scheme such as com.example.app:/callback",
);

/** The server sends requests to it. Whether it may is a rule of the service. */
const targetUri = uri(
	({ protocol }) => /^https?:$/.test(protocol),
	"must be a URL without a fragment and a password",
);

const originUri = z
	.string()
	.max(MAX_URI_LENGTH)
	.refine((text) => {
		const url = parseUri(text);
		return url !== null && isWebUrl(url) && url.origin === fillPlaceholder(text);
	}, "must be an origin such as https://app.example.com, without a path");

const text = (max: number) =>
	z
		.string()
		.trim()
		.min(1)
		.max(max)
		.regex(/^[^\p{Cc}]*$/u, "must not contain control characters");

/** A day is the limit of the settings of the service. */
const minutes = z.int().min(1).max(1440).nullable();

/** What can be changed. The rules for redirect URIs depend on the type. */
export const settingsSchema = z.strictObject({
	name: text(200).meta({ description: "What users see on the consent page" }),
	logoUrl: uri(({ protocol }) => protocol === "https:", "must be an https URL")
		.refine((text) => !hasPlaceholder(text), "must be the same for all tenants")
		.nullable()
		.meta({ description: "What users see on the consent page" }),
	redirectUris: z
		.array(nativeUri)
		.max(MAX_URIS)
		.meta({ description: "Where users return with a code. They are compared exactly." }),
	postLogoutRedirectUris: z
		.array(nativeUri)
		.max(MAX_URIS)
		.meta({ description: "Where users return after a sign-out. They are compared exactly." }),
	backchannelLogoutUri: targetUri.nullable().meta({
		description:
			"Where it gets a logout token when a session ends (OpenID Connect Back-Channel Logout)",
	}),
	backchannelLogoutSessionRequired: z.boolean().meta({
		description:
			"Whether logout tokens name the session. Otherwise they name only the user, who is then signed out of the application everywhere. The default is true.",
	}),
	allowedOrigins: z
		.array(originUri)
		.max(MAX_URIS)
		.meta({ description: "Origins whose pages may call the endpoints of the protocol" }),
	scopes: z
		.array(z.string().max(200))
		.min(1)
		.max(MAX_URIS)
		.meta({ description: "What it may ask for. The default is everything that its type can use." }),
	firstParty: z.boolean().meta({ description: "Whether users are not asked for consent" }),
	requirePkce: z.boolean().meta({ description: "false is possible with a secret only" }),
	deviceFlow: z.boolean().meta({
		description:
			"Whether devices without a browser can use it (RFC 8628), for web and native. The default is false.",
	}),
	dpop: z.boolean().meta({
		description:
			"Whether its tokens are always bound to a key of it (RFC 9449). The service has a setting for it. The default is false.",
	}),
	offlineAccess: z.boolean().meta({
		description:
			"Whether it may refresh its tokens after the session has expired. The default is true for native.",
	}),
	refreshDays: z.int().min(1).max(3650).nullable().meta({
		description:
			"How many days after the sign-in it may refresh its tokens. The service has a limit, which is the default.",
	}),
	accessTokenMinutes: minutes.meta({
		description:
			"How long its access tokens are valid. The service has a limit, which is the default.",
	}),
	idTokenMinutes: minutes.meta({
		description: "How long its ID tokens are valid. The service has a limit, which is the default.",
	}),
	claimsInIdToken: z.boolean().meta({
		description:
			"Whether ID tokens have the claims of the scopes profile and email, as the user info. The default is true.",
	}),
	jwks: givenKeys.nullable().meta({
		description:
			"Public keys, with which it authenticates in place of a secret (private_key_jwt). For web and machine.",
	}),
	jwksUri: targetUri
		.refine((text) => !hasPlaceholder(text), "must be the same for all tenants")
		.nullable()
		.meta({
			description: "Where it publishes such keys, so that it can rotate them. Instead of jwks.",
		}),
	claims: claimMapping.meta({
		description:
			"Own claims in its tokens, with where their values come from: { department: user.metadata.department }",
	}),
});

export type ApplicationSettings = z.output<typeof settingsSchema>;

/** Whether a web page can be there. A private scheme is for native applications. */
export const isWebUri = (value: string): boolean => webUri.safeParse(value).success;
