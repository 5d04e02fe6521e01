import type { OAuthProvider } from "@better-auth/core/oauth2";
import * as z from "zod";
import type { Limits } from "../network/guarded-fetch";
import { openIdProvider, requireUsableClient } from "../openid/provider";
import { loadMetadata, type ProviderMetadata, ProviderProblem } from "../openid/provider-metadata";
import { MAPPED_CLAIMS, OWN_PROVIDER_PREFIX, type OwnProviderId } from "../providers";
import { tenantError } from "../tenant-error";
import {
	type OAuthConfigRow,
	type ProviderSettings,
	scopesOf,
	settingsOf,
	splitClientIds,
} from "./config";
import { setMappedRole } from "./mapped-role";

/** What `requireValidSettings` has accepted. */
const ownSettings = z.object({
	issuer: z.string(),
	name: z.string().optional(),
	claims: z.partialRecord(z.enum(MAPPED_CLAIMS), z.string()).optional(),
	roles: z.record(z.string(), z.string()).optional(),
	clientAuthentication: z.enum(["client_secret_basic", "client_secret_post"]).optional(),
	prompt: z
		.enum(["none", "consent", "login", "select_account", "select_account consent"])
		.optional(),
});

export interface Credentials {
	clientId: string;
	clientSecret: string;
}

export interface OwnProvider {
	provider: OAuthProvider;
	metadata: () => Promise<ProviderMetadata>;
	/** Whether an answer to the redirect URI is not known to come from the provider. */
	isForeignAnswer: (answer: Record<string, unknown> | undefined) => Promise<boolean>;
}

/** The tenant's client at its own OpenID Connect provider. */
export function buildOwnProvider(
	row: OAuthConfigRow,
	{ clientId: storedClientIds, clientSecret }: Credentials,
	limits: Limits,
): OwnProvider {
	const { clientId, clientIds } = splitClientIds(storedClientIds);
	const settings = ownSettings.parse(settingsOf(row));
	const { issuer, claims = {}, roles = {}, clientAuthentication, prompt } = settings;
	const { provider, metadata } = openIdProvider(
		{
			id: row.providerId,
			name: nameOfOwn(row),
			issuer,
			clientId,
			nativeClientIds: clientIds.slice(1),
			clientSecret: clientSecret === "" ? null : clientSecret,
			clientAuthentication,
			scopes: scopesOf(row),
			redirectURI: row.redirectURI,
			prompt,
			mapping: { claims, roles },
		},
		limits,
		setMappedRole,
	);
	return {
		provider,
		metadata,
		// Core compares `iss` if it is there. RFC 9207, section 2.4: it must be there if it was announced.
		isForeignAnswer: async (answer) => {
			const { sendsIssuer } = await unlessUnavailable(metadata());
			return sendsIssuer && answer?.iss === undefined;
		},
	};
}

/** What the button of a sign-in page says. */
export function nameOfOwn({ providerId, options }: OAuthConfigRow): string {
	const { data } = z.object({ name: z.string() }).safeParse(JSON.parse(options ?? "null"));
	return data?.name ?? providerId.slice(OWN_PROVIDER_PREFIX.length);
}

/**
 * Rejects settings with which nobody could sign in: the provider must answer, and accept such a client.
 *
 * @throws APIError `INVALID_PROVIDER_OPTIONS`
 */
export async function requireUsableProvider(
	providerId: OwnProviderId,
	settings: ProviderSettings,
	hasSecret: boolean,
	limits: Limits,
): Promise<void> {
	const { issuer } = ownSettings.parse(settings);
	try {
		requireUsableClient(await loadMetadata(issuer, limits), hasSecret);
	} catch (error) {
		if (!(error instanceof ProviderProblem)) throw error;
		throw tenantError("INVALID_PROVIDER_OPTIONS", { message: `${providerId}: ${error.message}` });
	}
}

/** A provider that is down is not an error of ours. */
export function unlessUnavailable<T>(work: Promise<T>): Promise<T> {
	return work.catch((error: unknown) => {
		if (!(error instanceof ProviderProblem)) throw error;
		throw tenantError("PROVIDER_UNAVAILABLE");
	});
}
