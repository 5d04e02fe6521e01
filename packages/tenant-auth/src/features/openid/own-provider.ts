import * as z from "zod";
import type {
	BuiltOwnProvider,
	OwnProviderClient,
	OwnProviderConfig,
	SavedOwnProvider,
} from "../../call/port/own-providers";
import { MAPPED_CLAIMS, OWN_PROVIDER_PREFIX } from "../../providers";
import { tenantError } from "../../tenant-error";
import { openIdProvider, requireUsableClient } from "./provider";
import { loadMetadata, type ProviderMetadata, ProviderProblem } from "./provider-metadata";

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

export interface OwnProvider extends BuiltOwnProvider {
	metadata: () => Promise<ProviderMetadata>;
}

/** The tenant's client at its own OpenID Connect provider. */
export function buildOwnProvider(config: OwnProviderClient): OwnProvider {
	const { providerId, clientIds, clientSecret, scopes, redirectURI, allowPrivate } = config;
	const { issuer, claims = {}, roles = {}, ...settings } = ownSettings.parse(config.settings);
	const [clientId = "", ...nativeClientIds] = clientIds;
	const { provider, metadata } = openIdProvider(
		{
			id: providerId,
			name: nameOfOwn(config),
			issuer,
			clientId,
			nativeClientIds,
			clientSecret: clientSecret === "" ? null : clientSecret,
			clientAuthentication: settings.clientAuthentication,
			scopes,
			redirectURI,
			prompt: settings.prompt,
			mapping: { claims, roles },
		},
		{ allowPrivate },
		config.setRole,
	);
	return {
		provider: {
			...provider,
			// A sign-in cannot start without the discovery document.
			createAuthorizationURL: async (data) =>
				unlessUnavailable(provider.createAuthorizationURL(data)),
		},
		metadata,
		// Core compares `iss` if it is there. RFC 9207, section 2.4: it must be there if it was announced.
		isForeignResponse: async (response) => {
			const { sendsIssuer } = await unlessUnavailable(metadata());
			return sendsIssuer && response?.iss === undefined;
		},
	};
}

/** What the button of a sign-in page says. */
export function nameOfOwn({ providerId, settings }: OwnProviderConfig): string {
	const { data } = z.object({ name: z.string() }).safeParse(settings);
	return data?.name ?? providerId.slice(OWN_PROVIDER_PREFIX.length);
}

/**
 * Rejects settings with which nobody could sign in: the provider must respond, and accept such a client.
 *
 * @throws APIError `INVALID_PROVIDER_OPTIONS`
 */
export async function requireUsableProvider(config: SavedOwnProvider): Promise<void> {
	const { providerId, settings, hasSecret, allowPrivate } = config;
	const { issuer } = ownSettings.parse(settings);
	try {
		const found = await loadMetadata(issuer, { allowPrivate });
		requireUsableClient(found, await hasSecret());
	} catch (error) {
		if (!(error instanceof ProviderProblem)) throw error;
		throw tenantError("INVALID_PROVIDER_OPTIONS", { message: `${providerId}: ${error.message}` });
	}
}

/** A provider that is down is not an error of ours. */
async function unlessUnavailable<T>(work: Promise<T> | T): Promise<T> {
	try {
		return await work;
	} catch (error) {
		if (!(error instanceof ProviderProblem)) throw error;
		throw tenantError("PROVIDER_UNAVAILABLE");
	}
}
