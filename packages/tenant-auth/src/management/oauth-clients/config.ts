import type { socialProviders } from "@better-auth/core/social-providers";
import * as z from "zod";
import { date, flag, text, textOrNull, texts } from "../../described";
import type { OwnProviderId } from "../../providers";

/** The built-in social providers of the installed Better Auth. */
export type BuiltInProviderId = keyof typeof socialProviders;

/** A provider that a tenant can have an OAuth config for. */
export type TenantProviderId = BuiltInProviderId | OwnProviderId;

/** A config as the database holds it: client id and secret encrypted, lists and objects as JSON. */
export interface OAuthConfigRow {
	id: string;
	tenantId: string;
	providerId: TenantProviderId;
	clientId: string;
	clientSecret: string;
	scopes: string | null;
	redirectURI: string | null;
	options: string | null;
	trustEmails: string | null;
	enabled: boolean;
	failedAt: Date | null;
	failure: string | null;
	createdAt: Date;
	updatedAt: Date;
}

const storedScopes = z.array(z.string());
const storedDomains = z.array(z.string());
const storedSettings = z.record(z.string(), z.unknown());

/** A provider's own public settings. */
export type ProviderSettings = z.output<typeof storedSettings>;

export const oauthConfigSchema = z.object({
	id: text("Unique id"),
	tenantId: text("The tenant"),
	providerId: z
		.custom<TenantProviderId>()
		.meta({ type: "string", description: "The provider, such as google or oidc:okta" }),
	clientId: text("The first client id, decrypted; used for redirects"),
	clientIds: texts("All client ids; an ID token may be issued to any of them"),
	scopes: storedScopes.meta({ description: "Scopes beside the provider's default ones" }),
	redirectURI: textOrNull("Used instead of the callback URL"),
	options: storedSettings.nullable().meta({ description: "The provider's own settings" }),
	trustEmails: storedDomains.meta({
		description: "The email domains for which the app trusts this provider",
	}),
	enabled: flag("Whether sign-in uses it"),
	createdAt: date("When the config was created"),
	updatedAt: date("When the config was last updated"),
});

/** A config as callers see it. It never contains the client secret. */
export type TenantOAuthConfig = z.output<typeof oauthConfigSchema>;

export function scopesOf(row: OAuthConfigRow): string[] {
	return row.scopes ? storedScopes.parse(JSON.parse(row.scopes)) : [];
}

export function settingsOf(row: OAuthConfigRow): ProviderSettings | null {
	return row.options ? storedSettings.parse(JSON.parse(row.options)) : null;
}

/**
 * The email domains for which a sign-in with this config may join an existing user of the tenant. All
 * sources of such domains belong here, and nothing else decides.
 */
export function trustedDomainsOf(row: OAuthConfigRow): string[] {
	return row.trustEmails ? storedDomains.parse(JSON.parse(row.trustEmails)) : [];
}

/** One per line: a client id contains no control characters. One id is stored as it is. */
export const joinClientIds = (clientIds: readonly string[]): string => clientIds.join("\n");

export function splitClientIds(stored: string): { clientId: string; clientIds: string[] } {
	const clientIds = stored.split("\n");
	return { clientId: clientIds[0] ?? "", clientIds };
}

export function toOAuthConfig(row: OAuthConfigRow, storedClientIds: string): TenantOAuthConfig {
	return {
		id: row.id,
		tenantId: row.tenantId,
		providerId: row.providerId,
		...splitClientIds(storedClientIds),
		scopes: scopesOf(row),
		redirectURI: row.redirectURI,
		options: settingsOf(row),
		trustEmails: trustedDomainsOf(row),
		enabled: row.enabled,
		createdAt: row.createdAt,
		updatedAt: row.updatedAt,
	};
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is rejected
const CONTROL = /[\u0000-\u001f\u007f]/;
const withoutControls = (text: string) => !CONTROL.test(text);

const oneClientId = z
	.string()
	.trim()
	.min(1)
	.max(1024)
	.refine(withoutControls, "clientId must not contain control characters");

/** A client id, or several: of a web app, an iOS app and an Android app, for example. */
export const clientIdSchema = z.union([oneClientId, z.array(oneClientId).min(1).max(16)]);

/** Apple's secret is a signed JWT, so it may be long. Encrypted, it must fit MySQL's text of 64 KB. */
export const clientSecretSchema = z
	.string()
	.max(4096)
	.refine(withoutControls, "clientSecret must not contain control characters");

/** @see https://www.rfc-editor.org/rfc/rfc6749#section-3.3 (scope-token) */
const SCOPE_TOKEN = /^[\x21\x23-\x5b\x5d-\x7e]{1,256}$/;

export const scopesSchema = z
	.array(z.string().regex(SCOPE_TOKEN, "a scope has 1 to 256 visible ASCII characters"))
	.max(64);

const DOMAIN = /^(?=.{1,253}$)([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+[a-z]([a-z\d-]{0,61}[a-z\d])$/;

export const trustEmailsSchema = z
	.array(z.string().trim().toLowerCase().regex(DOMAIN, "this is not an email domain"))
	.max(64);

/** @see https://www.rfc-editor.org/rfc/rfc6749#section-3.1.2 (absolute, without a fragment) */
export const redirectUriSchema = z
	.string()
	.max(2048)
	.refine(isRedirectUri, "redirectURI must be an absolute http or https URL without a fragment");

function isRedirectUri(value: string): boolean {
	if (!URL.canParse(value) || !withoutControls(value)) return false;
	const { protocol, hash, username, password } = new URL(value);
	return /^https?:$/.test(protocol) && hash === "" && username === "" && password === "";
}
