import type { AuthContext } from "@better-auth/core";
import { BetterAuthError } from "@better-auth/core/error";

/**
 * The options of a plugin in this app. Endpoints are made once for all apps, so they ask for them.
 *
 * @param creator the function that makes the plugin
 */
export function pluginOptions<Options>(
	{ getPlugin }: Pick<AuthContext, "getPlugin">,
	id: string,
	creator: string,
): Options {
	const plugin = getPlugin(id);
	if (!plugin) throw new BetterAuthError(`${creator}() is not among the plugins of this app`);
	return plugin.options as Options;
}
