import type { AuthContext, BetterAuthPlugin } from "@better-auth/core";
import { BetterAuthError } from "@better-auth/core/error";
import type { ResolvedOptions } from "../options";

/** Plugins that are tested with this one. `docs/compatibility.md` has a row for each, except the last group. */
const SUPPORTED: ReadonlySet<string> = new Set([
	"admin",
	"anonymous",
	"api-key",
	"bearer",
	"captcha",
	"custom-session",
	"device-authorization",
	"email-otp",
	"generic-oauth",
	"have-i-been-pwned",
	"jwt",
	"last-login-method",
	"magic-link",
	"multi-session",
	"one-tap",
	"one-time-token",
	"open-api",
	"organization",
	"passkey",
	"phone-number",
	"scim",
	"siwe",
	"sso",
	"stripe",
	"two-factor",
	"username",
	// They only set cookies, or create rows for tests.
	"next-cookies",
	"sveltekit-cookies",
	"tanstack-start-cookies",
	"tanstack-start-cookies-solid",
	"test-utils",
]);

/** Plugins that cannot be isolated: why, and what to do instead. */
const REFUSED: Readonly<Record<string, { why: string; instead: string }>> = {
	"oauth-proxy": {
		why: "its callbacks pass the user on without the tenant",
		instead: "register the redirect URI of each environment at the identity provider",
	},
	"oauth-popup": {
		why: "its OAuth state does not carry the tenant to the callback",
		instead: "start the social sign-in in the window that you open",
	},
};

/** Stops the start for a plugin that cannot be isolated, and warns about one that nobody has checked. */
export function checkPlugins(ctx: AuthContext, { checkedPlugins }: ResolvedOptions): void {
	const plugins = ctx.options.plugins ?? [];
	for (const { id } of plugins) {
		const refused = Object.hasOwn(REFUSED, id) ? REFUSED[id] : undefined;
		if (!refused) continue;
		throw new BetterAuthError(
			`tenantAuth: the plugin ${id} cannot be used with it: ${refused.why}. Instead, ${refused.instead}`,
		);
	}
	const unknown = plugins.filter(
		(plugin) =>
			mayLoseTenant(plugin) && !SUPPORTED.has(plugin.id) && !checkedPlugins.includes(plugin.id),
	);
	if (unknown.length === 0) return;
	const ids = unknown.map(({ id }) => id).join(", ");
	ctx.logger.warn(
		`tenantAuth: not tested with these plugins: ${ids}. Check them with assertTenantIsolation, then name them in checkedPlugins`,
	);
}

/** Hooks alone run in the tenant of the call, as the app's own hooks do. */
function mayLoseTenant({ id, endpoints, schema, onRequest }: BetterAuthPlugin): boolean {
	return !id.startsWith("tenant-auth") && Boolean(endpoints ?? schema ?? onRequest);
}
