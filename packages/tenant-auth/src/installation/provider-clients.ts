import type { AuthContext } from "@better-auth/core";
import type { OAuthProvider } from "@better-auth/core/oauth2";
import type { TenantInstance } from "../call/context/request-state";
import { readCredentials } from "../management/oauth-clients/cipher";
import type { OAuthConfigRow } from "../management/oauth-clients/config";
import { guardRequests } from "../management/oauth-clients/guarded-provider";
import { withProfileLimits } from "../management/oauth-clients/profile-limits";
import {
	type BoundProvider,
	bindHostProvider,
	buildTenantProvider,
} from "../management/oauth-clients/provider";
import { ProviderCache } from "../management/oauth-clients/provider-cache";
import { noteFailure } from "../management/oauth-clients/store";
import { isOwnProviderId } from "../providers";

/** The clients that tenants use with one provider, or with providers of their own. */
export interface ProviderClients {
	/**
	 * The tenant's own client, or else the host's.
	 *
	 * @param row the tenant's enabled config, as this call has read it
	 */
	find(
		tenantId: string,
		providerId: string,
		row: OAuthConfigRow | undefined,
	): Promise<BoundProvider | undefined>;
}

/** @param host the provider of the app, if it has configured one */
export type ClientsOf = (host: OAuthProvider | undefined) => ProviderClients;

/**
 * Builds clients once for many calls, as Better Auth does with the providers of the app. So they get the
 * context of the instance, and nothing of the call that they are built in. Only this instance uses them:
 * another one may have other secrets and options.
 */
export function providerClients(ctx: AuthContext, instance: TenantInstance): ClientsOf {
	const ofTenants = new ProviderCache<BoundProvider>();
	const limits = { allowPrivate: instance.options.allowPrivateProviderHosts };
	const { ownProviders } = instance.features;

	async function build(
		row: OAuthConfigRow,
		host: OAuthProvider | undefined,
	): Promise<BoundProvider> {
		const bound = await buildTenantProvider(row, await readCredentials(ctx, row), host, instance);
		const provider = withProfileLimits(bound.provider, ctx);
		if (!bound.isTenantControlled) return { ...bound, provider };
		const guarded = guardRequests(provider, ctx, limits);
		return { ...bound, provider: bound.own ? noteWhenUnavailable(guarded, row) : guarded };
	}

	/** A sign-in cannot start if the provider does not respond. */
	function noteWhenUnavailable(provider: OAuthProvider, row: OAuthConfigRow): OAuthProvider {
		const { tenantId, providerId } = row;
		return {
			...provider,
			createAuthorizationURL: (data) =>
				Promise.resolve(provider.createAuthorizationURL(data)).catch(async (error: unknown) => {
					ctx.logger.error(`The provider ${providerId} of tenant ${tenantId} failed`, error);
					await noteFailure(ctx, tenantId, providerId, "provider_unavailable");
					throw error;
				}),
		};
	}

	return (host) => {
		let ofHost: ReturnType<typeof bindHostProvider> | undefined;
		return {
			async find(tenantId, providerId, row) {
				// A config stays when the app removes the plugin. Nobody signs in with it then.
				if (isOwnProviderId(providerId) && !ownProviders) return undefined;
				if (row) return ofTenants.get(row, () => build(row, host));
				ofTenants.forget(tenantId, providerId);
				if (!host) return undefined;
				ofHost ??= bindHostProvider(withProfileLimits(host, ctx));
				return (await ofHost)(tenantId);
			},
		};
	};
}
