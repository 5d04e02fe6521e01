import type { AuthContext } from "@better-auth/core";
import { BetterAuthError } from "@better-auth/core/error";

/** Plugins of Better Auth whose flows would lose or change their tenant, and why. */
const UNSUPPORTED: Record<string, string> = {
	"oauth-proxy": "its callbacks pass the user on without the tenant",
	"oauth-popup": "its OAuth state does not carry the tenant to the callback",
};

/** Stops the start if a plugin cannot be isolated. */
export function rejectUnsupportedPlugins({ options }: AuthContext): void {
	for (const { id } of options.plugins ?? []) {
		const reason = Object.hasOwn(UNSUPPORTED, id) ? UNSUPPORTED[id] : undefined;
		if (reason) {
			throw new BetterAuthError(`tenantAuth: the plugin ${id} cannot be used with it: ${reason}`);
		}
	}
}
