import type { AuthContext, BetterAuthPlugin } from "@better-auth/core";
import { BetterAuthError } from "@better-auth/core/error";
import { isOurPlugin } from "../call/context/our-plugins";
import { FOREIGN } from "../call/foreign";
import type { Refusal } from "../call/foreign/foreign-plugin";
import { tenantPartOf } from "../call/port/features";
import type { ResolvedOptions } from "../options";

/** Plugins may change the options of others in their `init`, so this runs after all of them. */
export function checkPluginOptions(
	{ options }: AuthContext,
	{ checkedPlugins }: ResolvedOptions,
): void {
	for (const plugin of options.plugins ?? []) {
		for (const refused of FOREIGN.get(plugin.id)?.refusedOptions ?? []) {
			if (refused.uses(plugin.options ?? {}, checkedPlugins)) throw refusal(plugin.id, refused);
		}
	}
}

const refusal = (id: string, { why, instead }: Refusal) =>
	new BetterAuthError(
		`tenantAuth: the plugin ${id} cannot be used with it: ${why}. Instead, ${instead}`,
	);

/** Stops the start for a plugin that cannot be isolated, and warns about one that was not checked. */
export function checkPlugins(ctx: AuthContext, { checkedPlugins }: ResolvedOptions): void {
	const plugins = ctx.options.plugins ?? [];
	requireNoneTwice(plugins.filter((plugin) => isOurPlugin(plugin) || tenantPartOf(plugin)));
	for (const { id } of plugins) {
		const refused = FOREIGN.get(id)?.refused;
		if (refused) throw refusal(id, refused);
	}
	const unknown = plugins.filter(
		(plugin) =>
			mayLoseTenant(plugin) && !FOREIGN.get(plugin.id) && !checkedPlugins.includes(plugin.id),
	);
	if (unknown.length === 0) return;
	const ids = unknown.map(({ id }) => id).join(", ");
	ctx.logger.warn(
		`tenantAuth: not tested with these plugins: ${ids}. Check them with assertTenantIsolation, then name them in checkedPlugins`,
	);
}

/** The options of one would be lost, and Better Auth only logs that their paths are the same. */
function requireNoneTwice(plugins: readonly BetterAuthPlugin[]): void {
	const twice = plugins.find(({ id }, at) => plugins.findIndex((it) => it.id === id) !== at);
	if (!twice) return;
	throw new BetterAuthError(`tenantAuth: the plugin ${twice.id} is in the plugins twice`);
}

/** Hooks alone run in the tenant of the call, as the app's own hooks do. A tenant part was written for us. */
function mayLoseTenant(plugin: BetterAuthPlugin): boolean {
	const { endpoints, schema, onRequest } = plugin;
	if (isOurPlugin(plugin) || tenantPartOf(plugin)) return false;
	return Boolean(endpoints ?? schema ?? onRequest);
}
