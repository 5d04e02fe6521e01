import { isLoopbackHost } from "@better-auth/core/utils/host";
import { isReverseDomainPrivateUseRedirectUri } from "@better-auth/core/utils/redirect-uri";
import * as z from "zod";
import { claimMapping } from "./claim-mapping";
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
	allowedOrigins: z
		.array(z.string())
		.meta({ description: "Origins whose pages may call the endpoints of the protocol" }),
	scopes: z.array(z.string()).meta({ description: "What it may ask for" }),
	firstParty: z.boolean().meta({ description: "Whether users are not asked for consent" }),
	requirePkce: z.boolean().meta({ description: "Always true without a secret" }),
	offlineAccess: z
		.boolean()
		.meta({ description: "Whether it may refresh its tokens after the session has expired" }),
	refreshDays: z
		.number()
		.nullable()
		.meta({ description: "How many days after the sign-in it may refresh; null for the default" }),
	claimsInIdToken: z
		.boolean()
		.meta({ description: "Whether ID tokens have the claims of the scopes profile and email" }),
	claims: z
		.record(z.string(), z.string())
		.meta({ description: "Own claims in its tokens, with where their values come from" }),
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
	disabled?: boolean | null;
	tokenEndpointAuthMethod?: string | null;
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
		allowedOrigins: allowedOriginsOf(row),
		scopes: (type === "machine" ? row.clientCredentialsScopes : row.scopes) ?? [],
		firstParty: row.skipConsent ?? false,
		requirePkce: row.requirePKCE ?? true,
		offlineAccess: metadataOf(row).offline_access ?? hasOfflineAccess(type),
		refreshDays: metadataOf(row).refresh_days ?? null,
		claimsInIdToken: hasClaimsInIdToken(row),
		claims: claimsOf(row),
		disabled: row.disabled ?? false,
		previousSecretUntil: previousSecretUntil(row.clientSecret),
		createdAt,
		updatedAt: row.updatedAt ?? createdAt,
	};
}

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
	"allowedOrigins" | "offlineAccess" | "refreshDays" | "claimsInIdToken" | "claims"
>;

/** The plugin has no column for them. */
export const storedMetadata = (settings: Stored): string =>
	JSON.stringify({
		allowed_origins: settings.allowedOrigins,
		offline_access: settings.offlineAccess,
		refresh_days: settings.refreshDays,
		claims_in_id_token: settings.claimsInIdToken,
		claims: settings.claims,
	});

const metadataSchema = z.object({
	allowed_origins: z.array(z.string()).optional(),
	offline_access: z.boolean().optional(),
	refresh_days: z.number().nullish(),
	claims_in_id_token: z.boolean().optional(),
	claims: z.record(z.string(), z.string()).optional(),
});

/** Some databases return the column as text. */
function metadataOf({ metadata }: Pick<ClientRow, "metadata">): z.output<typeof metadataSchema> {
	const value: unknown = typeof metadata === "string" ? JSON.parse(metadata) : metadata;
	return metadataSchema.safeParse(value).data ?? {};
}

export const allowedOriginsOf = (row: Pick<ClientRow, "metadata">): string[] =>
	metadataOf(row).allowed_origins ?? [];

/** Applications from before there was a choice have none. */
export const hasClaimsInIdToken = (row: Pick<ClientRow, "metadata">): boolean =>
	metadataOf(row).claims_in_id_token ?? false;

export const claimsOf = (row: Pick<ClientRow, "metadata">): Record<string, string> =>
	metadataOf(row).claims ?? {};

const parseUri = (text: string): URL | null => {
	if (!isPlaceholderAllowed(text)) return null;
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
	offlineAccess: z.boolean().meta({
		description:
			"Whether it may refresh its tokens after the session has expired. The default is true for native.",
	}),
	refreshDays: z.int().min(1).max(3650).nullable().meta({
		description:
			"How many days after the sign-in it may refresh its tokens. The service has a limit, which is the default.",
	}),
	claimsInIdToken: z.boolean().meta({
		description:
			"Whether ID tokens have the claims of the scopes profile and email, as the user info. The default is true.",
	}),
	claims: claimMapping.meta({
		description:
			"Own claims in its tokens, with where their values come from: { department: user.metadata.department }",
	}),
});

export type ApplicationSettings = z.output<typeof settingsSchema>;

/** Whether a web page can be there. A private scheme is for native applications. */
export const isWebUri = (value: string): boolean => webUri.safeParse(value).success;
