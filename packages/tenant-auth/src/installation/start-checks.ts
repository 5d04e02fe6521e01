import type { AuthContext, BetterAuthPlugin } from "@better-auth/core";
import { BetterAuthError } from "@better-auth/core/error";
import { isOurPlugin } from "../call/context/endpoint-rules";
import { FOREIGN } from "../call/foreign";
import type { Refusal } from "../call/foreign/foreign-plugin";
import { tenantPartOf } from "../call/port/features";
import { addedFields } from "../database/row-fields";
import { reusesIds } from "../management/audit/retention";
import type { ResolvedOptions } from "../options";

/** The first minor version of Better Auth that our tests do not run with. */
const UNTESTED = { major: 1, minor: 8 };

/**
 * Warns about a version of Better Auth that is newer than all tested ones. npm warns too, but an
 * installation with `--force` or `--legacy-peer-deps` does not.
 */
export function warnAboutNewerBetterAuth({ version, logger }: AuthContext): void {
	const [major = 0, minor = 0] = version.split(".").map(Number);
	const isTested = major < UNTESTED.major || (major === UNTESTED.major && minor < UNTESTED.minor);
	if (isTested) return;
	logger.warn(
		`tenantAuth: not tested with Better Auth ${version}, only with versions below ${UNTESTED.major}.${UNTESTED.minor}. Run assertTenantIsolation and your own tests before you use it`,
	);
}

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

/** Stops the start for options with which a client could get rights, or that contradict Better Auth's. */
export function rejectUnsafeOptions(ctx: AuthContext, resolved: ResolvedOptions): void {
	requireProtectedRole(ctx, resolved);
	requireLastingIds(ctx, resolved);
	requireOwnBaseURL(ctx, resolved);
	requireSameFields(ctx, resolved);
}

/** The types would have fields that no user has. */
function requireSameFields({ options }: AuthContext, { userFields = {} }: ResolvedOptions): void {
	const unknown = Object.keys(userFields).find((name) => !options.user?.additionalFields?.[name]);
	if (unknown === undefined) return;
	throw new BetterAuthError(
		`tenantAuth: userFields has ${unknown}, but Better Auth's user.additionalFields has not. Pass the same object to both.`,
	);
}

/** A user who may write the role could become an admin of all tenants. */
function requireProtectedRole({ options }: AuthContext, { adminRoles }: ResolvedOptions): void {
	if (adminRoles.length === 0) return;
	const { role } = addedFields(options, "user");
	if (!role) {
		throw new BetterAuthError(
			"tenantAuth: adminRoles needs a role of the user. Add admin() of better-auth/plugins, or remove adminRoles.",
		);
	}
	if (role.input !== false) {
		throw new BetterAuthError(
			"tenantAuth: adminRoles trusts user.role, but clients can write it at sign-up. Add input: false to user.additionalFields.role, or use admin() of better-auth/plugins.",
		);
	}
}

/** SQLite gives the id of a deleted user to the next one who signs up. */
function requireLastingIds(ctx: AuthContext, { adminUserIds }: ResolvedOptions): void {
	if (adminUserIds.length === 0 || !reusesIds(ctx)) return;
	throw new BetterAuthError(
		'tenantAuth: adminUserIds cannot be used with generateId "serial" on SQLite, because SQLite uses the id of a deleted user again. Use other ids, or adminRoles.',
	);
}

/** With another base URL, links and cookies would not belong to the host that was called. */
function requireOwnBaseURL(
	{ options, logger }: AuthContext,
	{ hosts, resolveTenantId }: ResolvedOptions,
): void {
	const baseURL = typeof options.baseURL === "object" ? options.baseURL : null;
	if (hosts) {
		if (baseURL && String(baseURL.allowedHosts) === String(hosts.baseURL.allowedHosts)) return;
		throw new BetterAuthError(
			"tenantAuth: hosts needs its own base URL. Write betterAuth({ baseURL: hosts.baseURL, … }).",
		);
	}
	if (resolveTenantId && baseURL?.allowedHosts.some((host) => host.includes("*"))) {
		logger.warn(
			"tenantAuth: Better Auth trusts every host of baseURL.allowedHosts at every other one. If tenants have hosts of their own, use tenantHosts() of better-auth-tenant.",
		);
	}
}
