import type { AuthContext } from "@better-auth/core";
import type { OAuthProvider } from "@better-auth/core/oauth2";
import { socialProviders } from "@better-auth/core/social-providers";
import type { Flow } from "../context/oauth-flow";
import { digest } from "../database/digest";
import { guardRequests } from "../installation/guarded-fetch";
import type { ResolvedOptions } from "../options";
import type { Origin } from "./account-issuer";
import type { BuiltInProviderId } from "./built-in-providers";
import { openCredential } from "./cipher";
import { type OAuthConfigRow, scopesOf, settingsOf } from "./config";
import { accountIssuerOf, requireValidSettings, tenantControlsEmail } from "./provider-settings";

/** A provider to sign in with, and what the flow that begins with it is bound to. */
export interface BoundProvider {
	provider: OAuthProvider;
	flow: Flow;
	origin: Origin;
}

export const callbackPathOf = (providerId: string) => `/tenant/callback/${providerId}`;

/** The provider on the tenant's own client. */
export async function buildTenantProvider(
	ctx: Pick<AuthContext, "secretConfig" | "logger">,
	row: OAuthConfigRow,
	host: OAuthProvider | undefined,
	options: ResolvedOptions,
): Promise<BoundProvider> {
	const { tenantId, providerId } = row;
	const settings = settingsOf(row);
	// Again when used: an address that was allowed when it was saved may not be today.
	requireValidSettings(providerId, settings ?? {}, options.allowPrivateProviderHosts);
	const clientId = await openCredential(
		ctx,
		{ tenantId, providerId, field: "clientId" },
		row.clientId,
	);
	const clientSecret = await openCredential(
		ctx,
		{ tenantId, providerId, field: "clientSecret" },
		row.clientSecret,
	);
	const isTenantsWord = tenantControlsEmail(providerId, settings);
	const provider = create(providerId as BuiltInProviderId, {
		...hostPolicy(host, isTenantsWord),
		...settings,
		clientId,
		...(clientSecret === "" ? {} : { clientSecret }),
		// TikTok calls its client id a key.
		...(providerId === "tiktok" ? { clientKey: settings?.clientKey ?? clientId } : {}),
		...(row.scopes ? { scope: scopesOf(row) } : {}),
		...(row.redirectURI ? { redirectURI: row.redirectURI } : {}),
	});
	return {
		provider: {
			...(isTenantsWord ? guardRequests(withUnverifiedAddress(provider), ctx) : provider),
			callbackPath: callbackPathOf(providerId),
			disableImplicitSignUp: host?.disableImplicitSignUp,
		},
		flow: {
			tenantId,
			providerId,
			source: "tenant",
			configId: row.id,
			fingerprint: await fingerprintOf([clientId, settings]),
		},
		origin: await originOf(clientId, accountIssuerOf(providerId, settings)),
	};
}

/** The host's provider, for a tenant that has no client of its own. */
export async function borrowGlobalProvider(
	tenantId: string,
	provider: OAuthProvider,
): Promise<BoundProvider> {
	const { id: providerId, options } = provider;
	return {
		provider: { ...provider, callbackPath: callbackPathOf(providerId) },
		flow: {
			tenantId,
			providerId,
			source: "global",
			configId: null,
			fingerprint: await fingerprintOf(options?.clientId ?? null),
		},
		origin: await originOf(options?.clientId ?? null, accountIssuerOf(providerId, options)),
	};
}

async function originOf(clientId: unknown, authority: string): Promise<Origin> {
	return { authority, client: await fingerprintOf([clientId, authority]) };
}

/**
 * What the host has decided for this provider holds on a tenant's client too. Its own reading of
 * profiles does not where the tenant decides what a profile says.
 */
function hostPolicy(host: OAuthProvider | undefined, isTenantsWord: boolean): object {
	const { disableSignUp, disableIdTokenSignIn, overrideUserInfoOnSignIn, mapProfileToUser } =
		host?.options ?? {};
	return {
		disableSignUp,
		disableIdTokenSignIn,
		overrideUserInfoOnSignIn,
		...(isTenantsWord ? {} : { mapProfileToUser }),
	};
}

function create(id: BuiltInProviderId, options: Record<string, unknown>): OAuthProvider {
	const factory = socialProviders[id] as unknown as (options: object) => OAuthProvider;
	return factory(options);
}

/**
 * The tenant runs this identity provider, or chose its directory, so "verified" is the tenant's own
 * word. Core joins a social account to an existing user on that word; here it must not.
 */
function withUnverifiedAddress(provider: OAuthProvider): OAuthProvider {
	return {
		...provider,
		getUserInfo: async (tokens) => {
			const info = await provider.getUserInfo(tokens);
			return info && { ...info, user: { ...info.user, emailVerified: false } };
		},
	};
}

/** A digest, since the state is stored and client ids are kept encrypted at rest. */
const fingerprintOf = (value: unknown) => digest(JSON.stringify(value));
