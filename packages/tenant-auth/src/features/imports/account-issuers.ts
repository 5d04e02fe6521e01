import type { AuthContext } from "@better-auth/core";
import { requireInstance, runInScope } from "../../call/context/current-state";
import type { TenantScope } from "../../call/context/tenant";
import { ACCOUNT_PROVIDERS, FOREIGN } from "../../call/foreign";
import { settingsOf } from "../../management/oauth-clients/config";
import { findConfigRows } from "../../management/oauth-clients/find-configs";
import { accountIssuerOf } from "../../management/oauth-clients/provider-settings";

/** Who issues the account ids of each provider, as a sign-in would store it. */
export type AccountIssuers = ReadonlyMap<string, string>;

/**
 * Finds out which of these providers the tenant has, or can register, and who issues their account ids. A
 * sign-in finds only accounts of its own issuer.
 */
export async function findAccountIssuers(
	ctx: AuthContext,
	scope: TenantScope,
	providerIds: readonly string[],
): Promise<AccountIssuers> {
	const issuers = new Map<string, string>();
	if (providerIds.length === 0) return issuers;
	const rows = await findConfigRows(ctx, scope.tenantId);
	const known = new Map(ctx.socialProviders.map((provider) => [provider.id, provider]));
	for (const id of new Set(providerIds)) {
		const row = rows.find(({ providerId }) => providerId === id);
		const provider = known.get(id);
		if (row && (row.enabled || !provider?.options)) {
			issuers.set(id, accountIssuerOf(id, settingsOf(row)));
		} else if (provider) issuers.set(id, accountIssuerOf(id, provider.options));
	}
	const others = [...new Set(providerIds)].filter((id) => !issuers.has(id));
	for (const id of await findProvidersOfPlugins(ctx, scope, others)) issuers.set(id, "");
	return issuers;
}

/**
 * Who issues the account ids of a provider of the app; `null` for the provider's own service. On the
 * platform, accounts do not say it.
 */
export function findAppIssuer(ctx: AuthContext, providerId: string): string | null {
	const provider = ctx.socialProviders.find(({ id }) => id === providerId);
	return (provider && accountIssuerOf(providerId, provider.options)) || null;
}

/** Providers that are not in the list of social providers. */
async function findProvidersOfPlugins(
	ctx: AuthContext,
	scope: TenantScope,
	ids: string[],
): Promise<string[]> {
	const found = ids.filter((id) => FOREIGN.get(id)?.ownsAccounts && ctx.hasPlugin(id));
	if (ids.length === 0 || !ctx.tables[ACCOUNT_PROVIDERS]) return found;
	const rows = await runInScope(requireInstance(ctx), scope, () =>
		ctx.adapter.findMany<{ providerId: string }>({
			model: ACCOUNT_PROVIDERS,
			where: [{ field: "providerId", operator: "in", value: ids }],
			limit: ids.length,
		}),
	);
	return [...found, ...rows.map(({ providerId }) => providerId)];
}
