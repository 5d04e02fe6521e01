import type { BetterAuthPlugin, GenericEndpointContext } from "@better-auth/core";
import { tryGetCurrentAuthEndpointContext } from "@better-auth/core/context";
import type { DBFieldAttribute } from "@better-auth/core/db";
import { oauthProvider } from "@better-auth/oauth-provider";
import { jwt } from "better-auth/plugins";
import { defineTenantPlugin, getCurrentTenant } from "better-auth-tenant";
import type { Access } from "../operators/access";
import { openIdLimits } from "../rate-limits/address-limits";
import type { ServiceConfig } from "../settings/service-config";
import { APPLICATION_ACTIONS } from "../tenant-actions";
import { storeClientSecret } from "./applications/client-secrets";
import { scopesOf } from "./applications/rules";
import { serviceApplicationEndpoints } from "./applications/service-endpoints";
import { serviceWideApplications } from "./applications/service-wide";
import { tenantApplicationEndpoints } from "./applications/tenant-endpoints";
import { deviceFlow } from "./device-flow/plugin";
import { grantEndpoints } from "./grants/endpoints";
import { issuerOf } from "./issuer";
import { backchannelLogout, loggedOutClients } from "./logout/plugin";
import { emptyKeySet, withOneSigningKey } from "./one-signing-key";
import { noTenant, tenantIssuer } from "./tenant-issuer";
import { tokenClaims, userClaimsInIdToken } from "./token-claims";
import { lifetimesOfApplication, useLifetimesOfApplication } from "./token-lifetimes";
import { userMetadataEndpoints } from "./user-metadata/endpoints";
import { userMetadataSchema } from "./user-metadata/user-metadata";

const DAY_SECONDS = 24 * 60 * 60;

/** Must be longer than any token is valid: a day, by the settings. */
const KEY_GRACE_SECONDS = 2 * DAY_SECONDS;

/** Two tabs may use a refresh token at the same time, and a response may get lost. */
const REUSE_SECONDS = 30;

/** An OpenID provider in each tenant: Better Auth's plugins, and what makes them one per tenant. */
export function openIdPlugins(config: ServiceConfig, access: Access) {
	const { apiScopes, apiAudiences, signingKeyDays, rateLimits } = config.settings;
	const { accessTokenMinutes, idTokenMinutes, allowPrivateProviderHosts, dpop } = config.settings;
	const rules = { apiScopes, allowPrivateHosts: allowPrivateProviderHosts, dpop };
	const lifetimes = { access: accessTokenMinutes * 60, id: idTokenMinutes * 60 };
	const provider = oauthProvider({
		// Each tenant has its own, see below.
		loginPage: "/sign-in",
		consentPage: "/consent",
		signup: { page: "/sign-up" },
		selectAccount: { page: "/sign-in", shouldRedirect: () => false },
		scopes: scopesOf("web", apiScopes),
		resources: apiAudiences,
		// Every application may ask for a token for every API. The API decides what the token may do.
		enforcePerClientResources: false,
		// Applications are managed at `/tenant/application/…` and `/operator/application/…` only.
		clientPrivileges: () => false,
		resourcePrivileges: () => false,
		extensions: [serviceWideApplications, tokenClaims, loggedOutClients],
		storeClientSecret,
		refreshTokenReuseInterval: REUSE_SECONDS,
		customIdTokenClaims: userClaimsInIdToken,
		rateLimit: openIdLimits(rateLimits),
		silenceWarnings: { oauthAuthServerConfig: true, openidConfig: true },
	});
	usePagesOfTenant(provider.options);
	useLifetimesOfApplication(provider.options, lifetimes);
	readNoNullSession(provider.schema.oauthRefreshToken.fields.sessionId);
	return [
		jwt(
			withOneSigningKey({
				disableSettingJwtHeader: true,
				jwks: {
					// Every client has to support it (OpenID Connect Core, section 15.1).
					keyPairConfig: { alg: "RS256", modulusLength: 2048 },
					rotationInterval: signingKeyDays * DAY_SECONDS,
					gracePeriod: KEY_GRACE_SECONDS,
				},
				jwt: { definePayload: ({ user, session }) => sessionClaims(config, user, session) },
			}),
		),
		{ id: "tenant-auth-key-set", hooks: { before: [emptyKeySet] } },
		tenantIssuer(config, allowPrivateProviderHosts),
		{ id: "tenant-auth-lifetimes", hooks: { before: [lifetimesOfApplication(lifetimes)] } },
		provider,
		backchannelLogout,
		...deviceFlow(),
		defineTenantPlugin({
			id: "tenant-auth-applications",
			endpoints: {
				...tenantApplicationEndpoints(rules),
				...serviceApplicationEndpoints(rules, access),
				...grantEndpoints,
				...userMetadataEndpoints,
			},
			schema: userMetadataSchema,
			tenant: { actions: APPLICATION_ACTIONS },
		}),
	] satisfies BetterAuthPlugin[];
}

/** The plugin reads the pages when it redirects. By then the issuer of the tenant is the base URL. */
function usePagesOfTenant(options: ReturnType<typeof oauthProvider>["options"]): void {
	const ofTenant = (page: string) => ({
		enumerable: true,
		get: () => {
			const ctx = tryGetCurrentAuthEndpointContext() as GenericEndpointContext | undefined;
			return `${ctx?.context.baseURL ?? ""}/${page}`;
		},
	});
	Object.defineProperty(options, "loginPage", ofTenant("sign-in"));
	Object.defineProperty(options, "consentPage", ofTenant("consent"));
	if (options.signup) Object.defineProperty(options.signup, "page", ofTenant("sign-up"));
	if (options.selectAccount) {
		Object.defineProperty(options.selectAccount, "page", ofTenant("sign-in"));
	}
}

/**
 * The database has `null` for a session that has ended, and the plugin would write it into an ID token as
 * `"sid": null`. A claim without a value is left out (OpenID Connect Core, section 5.3.2).
 */
function readNoNullSession(field: DBFieldAttribute): void {
	field.transform = { output: (value) => value ?? undefined };
}

/** The claims of the token that `GET /token` makes of a session. */
async function sessionClaims(
	config: ServiceConfig,
	user: { id: string; name: string; email: string; emailVerified: boolean },
	session: { id: string },
): Promise<Record<string, unknown>> {
	const tenant = await getCurrentTenant();
	if (!tenant) throw noTenant();
	return {
		iss: issuerOf(config, tenant.slug),
		aud: config.baseUrl,
		tenant_id: tenant.id,
		sid: session.id,
		name: user.name,
		email: user.email,
		email_verified: user.emailVerified,
	};
}
