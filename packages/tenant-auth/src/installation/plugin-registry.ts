import type { AuthContext, BetterAuthPlugin } from "@better-auth/core";
import { BetterAuthError } from "@better-auth/core/error";
import { isOurPlugin } from "../context/our-plugins";
import type { ResolvedOptions } from "../options";
import { tenantPartOf } from "../port/features";

/** Plugins that are tested with this one. `docs/compatibility.md` has a row for each, except the last group. */
const SUPPORTED: ReadonlySet<string> = new Set([
	"admin",
	"anonymous",
	"api-key",
	"bearer",
	"captcha",
	"custom-session",
	"device-authorization",
	"electron",
	"email-otp",
	"expo",
	"generic-oauth",
	"have-i-been-pwned",
	"i18n",
	"jwt",
	"last-login-method",
	"magic-link",
	"multi-session",
	"oauth-provider",
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
	// They only set cookies, create rows for tests, or run statements below this plugin.
	"fast-statements",
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

/** Options of supported plugins that cannot be isolated, each with a test whether the app uses it. */
const REFUSED_OPTIONS: Readonly<
	Record<
		string,
		{
			uses: (options: Options, checked: readonly string[]) => boolean;
			why: string;
			instead: string;
		}[]
	>
> = {
	"oauth-provider": [
		{
			uses: ({ cachedTrustedClients }) => countOf(cachedTrustedClients) > 0,
			why: "cachedTrustedClients keeps clients in memory without their tenant",
			instead: "remove the option",
		},
		{
			// One that stores nothing and keeps nothing is safe. Only the app knows.
			uses: ({ extensions }, checked) =>
				listOf(extensions)
					.flatMap((it) => it?.clientDiscovery ?? [])
					.some((discovery) => !checked.includes(String(Object(discovery).id))),
			why: "client discovery stores a client under its URL, once for all tenants",
			instead:
				"register the clients in each tenant, or name the id of a discovery that stores nothing in checkedPlugins",
		},
	],
};

type Options = Record<string, unknown>;

const countOf = (value: unknown) => (value instanceof Set ? value.size : listOf(value).length);
const listOf = (value: unknown): (Options | null)[] => (Array.isArray(value) ? value : []);

/** Plugins may change the options of others in their `init`, so this runs after all of them. */
export function checkPluginOptions(
	{ options }: AuthContext,
	{ checkedPlugins }: ResolvedOptions,
): void {
	for (const plugin of options.plugins ?? []) {
		const refused = Object.hasOwn(REFUSED_OPTIONS, plugin.id) ? REFUSED_OPTIONS[plugin.id] : [];
		for (const { uses, why, instead } of refused ?? []) {
			if (uses(plugin.options ?? {}, checkedPlugins)) throw refusal(plugin.id, why, instead);
		}
	}
}

const refusal = (id: string, why: string, instead: string) =>
	new BetterAuthError(
		`tenantAuth: the plugin ${id} cannot be used with it: ${why}. Instead, ${instead}`,
	);

/** Stops the start for a plugin that cannot be isolated, and warns about one that nobody has checked. */
export function checkPlugins(ctx: AuthContext, { checkedPlugins }: ResolvedOptions): void {
	const plugins = ctx.options.plugins ?? [];
	for (const { id } of plugins) {
		const refused = Object.hasOwn(REFUSED, id) ? REFUSED[id] : undefined;
		if (refused) throw refusal(id, refused.why, refused.instead);
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

/** Hooks alone run in the tenant of the call, as the app's own hooks do. A tenant part was written for us. */
function mayLoseTenant(plugin: BetterAuthPlugin): boolean {
	const { endpoints, schema, onRequest } = plugin;
	if (isOurPlugin(plugin) || tenantPartOf(plugin)) return false;
	return Boolean(endpoints ?? schema ?? onRequest);
}
