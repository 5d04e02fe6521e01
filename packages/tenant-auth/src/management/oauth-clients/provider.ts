import type { OAuthProvider } from "@better-auth/core/oauth2";
import { socialProviders } from "@better-auth/core/social-providers";
import type { Flow } from "../../call/context/oauth-flow";
import type { TenantInstance } from "../../call/context/request-state";
import type { BuiltOwnProvider, OwnProviderClient } from "../../call/port/own-providers";
import { digest } from "../../database/digest";
import { isOwnProviderId } from "../../providers";
import type { AccountIssuer } from "./account-issuer";
import { callbackPathOf } from "./callback-path";
import type { Credentials } from "./cipher";
import {
	type BuiltInProviderId,
	type OAuthConfigRow,
	scopesOf,
	settingsOf,
	splitClientIds,
	trustedDomainsOf,
} from "./config";
import { setMappedRole } from "./mapped-role";
import {
	accountIssuerOf,
	mayTrustEmails,
	requireBuiltIn,
	requireOwnProviders,
	requireValidSettings,
	tenantControlsEmail,
} from "./provider-settings";

/** A provider to sign in with, and what its flow is bound to. */
export interface BoundProvider {
	provider: OAuthProvider;
	flow: Flow;
	issuer: AccountIssuer;
	/** The tenant chose the server that responds, or what it says about emails. */
	isTenantControlled: boolean;
	/** For a provider that the tenant registered itself. */
	own?: Pick<BuiltOwnProvider, "isForeignResponse">;
}

type Instance = Pick<TenantInstance, "options" | "features">;

/** The provider on the tenant's own client. */
export async function buildTenantProvider(
	row: OAuthConfigRow,
	credentials: Credentials,
	host: OAuthProvider | undefined,
	instance: Instance,
): Promise<BoundProvider> {
	const { tenantId, providerId } = row;
	const settings = requireStoredSettings(row, instance);
	const { clientId } = splitClientIds(credentials.clientId);
	const isControlled = tenantControlsEmail(providerId, settings);
	const trustedDomains = mayTrustEmails(providerId, settings) ? trustedDomainsOf(row) : [];
	const own = isOwnProviderId(providerId)
		? requireOwnProviders(instance).build(ownClientOf(row, credentials, instance))
		: undefined;
	const provider =
		own?.provider ?? create(requireBuiltIn(providerId), optionsOf(row, credentials, host));
	return {
		provider: {
			...(isControlled ? withEmailsOf(provider, trustedDomains) : provider),
			callbackPath: callbackPathOf(providerId, tenantId),
			disableImplicitSignUp: host?.disableImplicitSignUp,
		},
		flow: {
			tenantId,
			providerId,
			source: "tenant",
			configId: row.id,
			fingerprint: await fingerprintOf([clientId, settings]),
		},
		issuer: await issuerOf(clientId, accountIssuerOf(providerId, settings), false),
		isTenantControlled: isControlled,
		...(own ? { own } : {}),
	};
}

/** Checked again: what was allowed when it was saved may not be allowed today. */
function requireStoredSettings(row: OAuthConfigRow, { options }: Instance) {
	const settings = settingsOf(row);
	requireValidSettings(row.providerId, settings ?? {}, options.allowPrivateProviderHosts);
	return settings;
}

/** What the plugin for tenants' own providers takes. */
export function ownClientOf(
	row: OAuthConfigRow,
	{ clientId, clientSecret }: Credentials,
	instance: Instance,
): OwnProviderClient {
	return {
		providerId: row.providerId,
		settings: requireStoredSettings(row, instance) ?? {},
		clientIds: splitClientIds(clientId).clientIds,
		clientSecret,
		scopes: scopesOf(row),
		redirectURI: row.redirectURI,
		allowPrivate: instance.options.allowPrivateProviderHosts,
		setRole: setMappedRole,
	};
}

/** What Better Auth's function for a built-in provider takes. */
function optionsOf(
	row: OAuthConfigRow,
	credentials: Credentials,
	host: OAuthProvider | undefined,
): Record<string, unknown> {
	const settings = settingsOf(row);
	const { clientId, clientIds } = splitClientIds(credentials.clientId);
	const { clientSecret } = credentials;
	return {
		...hostPolicy(host, tenantControlsEmail(row.providerId, settings)),
		...settings,
		// Of a list, core uses the first one for redirects, and accepts all as audience of ID tokens.
		clientId: clientIds.length > 1 ? clientIds : clientId,
		...(clientSecret === "" ? {} : { clientSecret }),
		// TikTok calls its client id a key.
		...(row.providerId === "tiktok" ? { clientKey: settings?.clientKey ?? clientId } : {}),
		...(row.scopes ? { scope: scopesOf(row) } : {}),
		...(row.redirectURI ? { redirectURI: row.redirectURI } : {}),
	};
}

/** The host provider, for all tenants without a client of their own. */
export async function bindHostProvider(
	provider: OAuthProvider,
): Promise<(tenantId: string) => BoundProvider> {
	const { id: providerId, options } = provider;
	const fingerprint = await fingerprintOf(options?.clientId ?? null);
	const bound = {
		// The app's provider is never a tenant's own one, so its path is the same for all tenants.
		provider: { ...provider, callbackPath: callbackPathOf(providerId, "") },
		issuer: await issuerOf(options?.clientId ?? null, accountIssuerOf(providerId, options), true),
		isTenantControlled: false,
	};
	const flow = { providerId, source: "global", configId: null, fingerprint } as const;
	return (tenantId) => ({ ...bound, flow: { ...flow, tenantId } });
}

async function issuerOf(
	clientId: unknown,
	authority: string,
	ofApp: boolean,
): Promise<AccountIssuer> {
	return { authority, client: await fingerprintOf([clientId, authority]), ofApp };
}

/**
 * The app's settings for this provider also apply to a tenant's client. Its mapping of profiles does
 * not, if the tenant controls what a profile says.
 */
function hostPolicy(host: OAuthProvider | undefined, tenantControlsEmail: boolean): object {
	const { disableSignUp, disableIdTokenSignIn, overrideUserInfoOnSignIn, mapProfileToUser } =
		host?.options ?? {};
	return {
		disableSignUp,
		disableIdTokenSignIn,
		overrideUserInfoOnSignIn,
		...(tenantControlsEmail ? {} : { mapProfileToUser }),
	};
}

function create(id: BuiltInProviderId, options: Record<string, unknown>): OAuthProvider {
	const factory = socialProviders[id] as unknown as (options: object) => OAuthProvider;
	return factory(options);
}

/**
 * The tenant runs this identity provider or chose its directory. So an email that it calls "verified"
 * proves nothing to us. Core links a social account to an existing user by a verified email; here it
 * must not, unless the app trusts the provider with the emails of exactly this domain.
 */
function withEmailsOf(provider: OAuthProvider, domains: readonly string[]): OAuthProvider {
	return {
		...provider,
		getUserInfo: async (tokens) => {
			const info = await provider.getUserInfo(tokens);
			if (!info) return info;
			const emailVerified = isIn(domains, info.user.email) && isVerified(provider.id, info);
			return { ...info, user: { ...info.user, emailVerified } };
		},
	};
}

function isIn(domains: readonly string[], email: unknown): boolean {
	const [, domain] = /^[^\s@"]+@([^\s@]+)$/.exec(String(email)) ?? [];
	return domain !== undefined && domains.includes(domain.toLowerCase());
}

type UserInfo = NonNullable<Awaited<ReturnType<OAuthProvider["getUserInfo"]>>>;

/** What Entra says about an email, if an optional claim was configured. By default it says nothing. */
const ENTRA_CLAIMS = ["email_verified", "verified_primary_email", "verified_secondary_email"];

/**
 * Whether the provider itself calls the email verified. Entra has no such claim by default: then the
 * directory's word is enough, because the app trusts this directory with this domain.
 *
 * @see https://learn.microsoft.com/entra/identity-platform/optional-claims-reference (xms_edov)
 */
function isVerified(providerId: string, { user, data }: UserInfo): boolean {
	const claims = new Map<string, unknown>(Object.entries(data ?? {}));
	if (providerId !== "microsoft") return user.emailVerified === true;
	if (claims.has("xms_edov")) return /^(1|true)$/i.test(String(claims.get("xms_edov")));
	return user.emailVerified === true || !ENTRA_CLAIMS.some((claim) => claims.has(claim));
}

/** A digest: the state is stored, and client ids are encrypted at rest. */
const fingerprintOf = (value: unknown) => digest(JSON.stringify(value));
