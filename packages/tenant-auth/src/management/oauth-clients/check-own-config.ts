import type { AuthContext } from "@better-auth/core";
import { requireInstance } from "../../call/context/current-state";
import type { SavedOwnProvider } from "../../call/port/own-providers";
import { isOwnProviderId } from "../../providers";
import { decryptField } from "./cipher";
import { settingsOf } from "./config";
import { findConfigRows } from "./find-configs";
import { requireOwnProviders, requireValidSettings } from "./provider-settings";
import type { OAuthConfigChange } from "./store";

/**
 * Lets the plugin for tenants' own providers check a config before it is saved. It may ask the provider, so
 * it must not run inside a transaction. Configs of built-in providers are not affected.
 */
export async function checkOwnConfig(
	ctx: AuthContext,
	config: Omit<SavedOwnProvider, "allowPrivate">,
): Promise<void> {
	const { providerId, settings } = config;
	if (!isOwnProviderId(providerId)) return;
	const instance = requireInstance(ctx);
	const { allowPrivateProviderHosts: allowPrivate } = instance.options;
	requireValidSettings(providerId, settings, allowPrivate);
	await requireOwnProviders(instance).check(ctx, { ...config, allowPrivate });
}

/** The same for a change of a config. */
export async function checkOwnChange(
	ctx: AuthContext,
	{ tenantId, providerId }: Pick<SavedOwnProvider, "tenantId" | "providerId">,
	{ options, clientSecret }: OAuthConfigChange,
): Promise<void> {
	if (!isOwnProviderId(providerId)) return;
	requireOwnProviders(requireInstance(ctx));
	if (options === undefined && clientSecret == null) return;
	const [row] = await findConfigRows(ctx, tenantId, providerId);
	if (!row) return;
	await checkOwnConfig(ctx, {
		tenantId,
		providerId,
		settings: (options === undefined ? settingsOf(row) : options) ?? {},
		hasNewSettings: options !== undefined,
		hasSecret: async () => (clientSecret ?? (await decryptField(ctx, row, "clientSecret"))) !== "",
	});
}
