import type { AuthContext } from "@better-auth/core";
import { BetterAuthError } from "@better-auth/core/error";

/** Plugins of Better Auth whose flows would lose or change their tenant, and why. */
const REFUSED: Record<string, string> = {
	"oauth-proxy": "its callbacks carry the user over in a way that does not name the tenant",
	"oauth-popup": "its OAuth state does not carry the tenant to the callback",
};

/** What cannot be kept apart is not started, rather than left open. */
export function refusePlugins({ options }: AuthContext): void {
	for (const { id } of options.plugins ?? []) {
		const reason = Object.hasOwn(REFUSED, id) ? REFUSED[id] : undefined;
		if (reason) {
			throw new BetterAuthError(`tenantAuth: the plugin ${id} cannot be used with it: ${reason}`);
		}
	}
}
