import type { AuthContext } from "@better-auth/core";
import type { OAuthProvider } from "@better-auth/core/oauth2";
import type { OAuthConfigRow } from "../oauth-clients/config";
import { withProfileLimits } from "../oauth-clients/profile-limits";
import {
	type BoundProvider,
	bindHostProvider,
	buildTenantProvider,
} from "../oauth-clients/provider";
import { ProviderCache } from "../oauth-clients/provider-cache";
import type { ResolvedOptions } from "../options";
import { guardRequests } from "./guarded-fetch";

/** The clients that tenants use with one provider. */
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

/**
 * Builds clients once for many calls, as Better Auth does with the providers of the app. So they get the
 * context of the instance, and nothing of the call that they are built in. Only this instance uses them:
 * another one may have other secrets and options.
 */
export function providerClients(
	ctx: AuthContext,
	options: ResolvedOptions,
): (host: OAuthProvider | undefined) => ProviderClients {
	const ofTenants = new ProviderCache<BoundProvider>();
	const limits = { allowPrivate: options.allowPrivateProviderHosts };

	async function build(
		row: OAuthConfigRow,
		host: OAuthProvider | undefined,
	): Promise<BoundProvider> {
		const bound = await buildTenantProvider(ctx, row, host, options);
		const provider = withProfileLimits(bound.provider, ctx);
		if (!bound.isTenantControlled) return { ...bound, provider };
		return { ...bound, provider: guardRequests(provider, ctx, limits) };
	}

	return (host) => {
		let ofHost: ReturnType<typeof bindHostProvider> | undefined;
		return {
			async find(tenantId, providerId, row) {
				if (row) return ofTenants.get(row, () => build(row, host));
				ofTenants.forget(tenantId, providerId);
				if (!host) return undefined;
				ofHost ??= bindHostProvider(withProfileLimits(host, ctx));
				return (await ofHost)(tenantId);
			},
		};
	};
}
