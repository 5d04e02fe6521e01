import type { AuthContext } from "@better-auth/core";
import { APIError, isAPIError } from "better-auth/api";
import type { TenantScope } from "../context/tenant";
import { requireGrantable } from "../management/acting-member";
import type { ResolvedOptions } from "../options";
import { isOwnProviderId } from "../providers";
import { tenantError } from "../tenant-error";
import { decryptField } from "./cipher";
import { type ProviderSettings, settingsOf } from "./config";
import { findConfigRows } from "./find-configs";
import { requireUsableProvider } from "./own-provider";
import { requireValidSettings } from "./provider-settings";
import type { OAuthConfigChange, OAuthConfigInput } from "./store";

type StoreContext = Pick<AuthContext, "adapter" | "secretConfig" | "logger">;

/** Each sign-in reads all configs of its tenant. */
const MOST_OWN_PROVIDERS = 20;

/**
 * Checks a tenant's own provider before its config is saved. It asks the provider, so it must not run
 * inside a transaction. Configs of built-in providers are not affected.
 */
export async function requireUsableRegistration(
	ctx: StoreContext,
	{ tenantId }: TenantScope,
	{
		providerId,
		options,
		clientSecret,
	}: Pick<OAuthConfigInput, "providerId" | "clientSecret"> & {
		options?: OAuthConfigInput["options"];
	},
	resolved: ResolvedOptions,
): Promise<void> {
	const { allowPrivateProviderHosts: allowPrivate } = resolved;
	if (!isOwnProviderId(providerId)) return;
	const others = (await findConfigRows(ctx, tenantId)).filter(
		(row) => isOwnProviderId(row.providerId) && row.providerId !== providerId,
	);
	if (others.length >= MOST_OWN_PROVIDERS) throw tenantError("TOO_MANY_OWN_PROVIDERS");
	requireGrantableRoles(resolved, options ?? {});
	await requireUsableProvider(providerId, options ?? {}, clientSecret !== "", { allowPrivate });
}

/**
 * Who controls the provider gives the roles. So nobody can map a role that they could not give to a user
 * themselves.
 */
function requireGrantableRoles(resolved: ResolvedOptions, { roles }: ProviderSettings): void {
	for (const role of Object.values(roles ?? {})) {
		try {
			requireGrantable(resolved, String(role));
		} catch (error) {
			if (!isAPIError(error)) throw error;
			throw new APIError(error.status, {
				...error.body,
				message: `roles: ${role}: ${error.message}`,
			});
		}
	}
}

/** The same for a change of a config. */
export async function requireUsableChange(
	ctx: StoreContext,
	{ tenantId }: TenantScope,
	providerId: string,
	{ options, clientSecret }: OAuthConfigChange,
	resolved: ResolvedOptions,
): Promise<void> {
	const { allowPrivateProviderHosts: allowPrivate } = resolved;
	if (!isOwnProviderId(providerId) || (options === undefined && clientSecret == null)) return;
	const [row] = await findConfigRows(ctx, tenantId, providerId);
	if (!row) return;
	const settings = (options === undefined ? settingsOf(row) : options) ?? {};
	requireValidSettings(providerId, settings, allowPrivate);
	if (options !== undefined) requireGrantableRoles(resolved, settings);
	const secret = clientSecret ?? (await decryptField(ctx, row, "clientSecret"));
	await requireUsableProvider(providerId, settings, secret !== "", { allowPrivate });
}
