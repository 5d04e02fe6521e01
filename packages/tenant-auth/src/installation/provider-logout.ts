import type { AuthContext, GenericEndpointContext } from "@better-auth/core";
import type { OAuthProvider } from "@better-auth/core/oauth2";
import { findEndpoint, findState } from "../call/context/current-state";
import { rulesOf } from "../call/context/endpoint-rules";
import { ALL_TENANTS, tenantIdIn } from "../call/context/tenant";
import type { InternalAdapter, StageParts } from "../database/internal-adapter";
import { isOfClient } from "../management/oauth-clients/account-issuer";
import { findEnabledConfig } from "../management/oauth-clients/find-configs";
import { isOwnProviderId } from "../providers";
import type { ProviderClients } from "./provider-clients";

type Account = Awaited<ReturnType<InternalAdapter["findAccounts"]>>[number];
type Entry = AuthContext["socialProviders"][number];

/**
 * Lets `/sign-out` of core return the URL at which the user signs out at the tenant's own provider.
 *
 * Core reads the user's accounts, and then looks for `createEndSessionURL` of the providers with these ids
 * in the list of the call. It does not resolve entries of the list. So the list of this call gets entries
 * for the accounts that were read.
 */
export function offerProviderLogout(
	accounts: InternalAdapter,
	clients: ProviderClients,
): StageParts {
	return {
		findAccounts: async (userId) => {
			const found = await accounts.findAccounts(userId);
			const ctx = findEndpoint();
			const own = found.filter(({ providerId }) => isOwnProviderId(providerId));
			if (ctx && own.length > 0 && rulesOf(ctx.path).signsOut) {
				const entries = own.map((account) => logoutEntry(ctx, account, clients));
				ctx.context.socialProviders = [...ctx.context.socialProviders, ...entries];
			}
			return found;
		},
	};
}

function logoutEntry(
	ctx: GenericEndpointContext,
	account: Account,
	clients: ProviderClients,
): Entry {
	const { providerId } = account;
	const createEndSessionURL: OAuthProvider["createEndSessionURL"] = async (data) => {
		const tenantId = tenantIdIn(findState()?.scope ?? ALL_TENANTS);
		if (tenantId === null) return null;
		const row = await findEnabledConfig(ctx.context, tenantId, providerId, true);
		const bound = await clients.find(tenantId, providerId, row);
		// The ID token is sent only to the provider that issued it, for the client that obtained it.
		if (!bound || !isOfClient(account, bound.issuer)) return null;
		return (await bound.provider.createEndSessionURL?.(data)) ?? null;
	};
	return { id: providerId, createEndSessionURL } as Entry;
}
