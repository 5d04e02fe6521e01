import type { AuthContext } from "@better-auth/core";
import { BetterAuthError } from "@better-auth/core/error";
import type { ResolvedOptions } from "../options";

/** Stops the start for options with which a client could get rights, or a tenant be left open. */
export function rejectUnsafeOptions(ctx: AuthContext, resolved: ResolvedOptions): void {
	requireProtectedRole(ctx, resolved);
	requireLastingIds(ctx, resolved);
	requireStoredSessions(ctx);
	requireOwnBaseURL(ctx, resolved);
}

/** Whoever may write the role could make himself an admin of all tenants. */
function requireProtectedRole({ options }: AuthContext, { adminRoles }: ResolvedOptions): void {
	if (adminRoles.length === 0) return;
	// As Better Auth reads input: the field of a plugin wins over one of the app.
	const fields = [
		options.user?.additionalFields,
		...(options.plugins ?? []).map(({ schema }) => schema?.user?.fields),
	];
	const role = fields.reduce<{ input?: boolean } | undefined>(
		(found, own) => own?.role ?? found,
		undefined,
	);
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
function requireLastingIds(
	{ options, adapter }: AuthContext,
	{ adminUserIds }: ResolvedOptions,
): void {
	const isCounted = options.advanced?.database?.generateId === "serial";
	if (adminUserIds.length === 0 || !isCounted || !isSqlite(options, adapter)) return;
	throw new BetterAuthError(
		'tenantAuth: adminUserIds cannot be used with generateId "serial" on SQLite, because SQLite uses the id of a deleted user again. Use other ids, or adminRoles.',
	);
}

/** Kysely's adapter calls it `type`, those of Drizzle and Prisma `provider`. */
function isSqlite({ database }: AuthContext["options"], adapter: AuthContext["adapter"]): boolean {
	const given = typeof database === "object" && "type" in database ? database.type : null;
	const { type, provider } = { type: undefined, provider: undefined, ...adapter.options };
	return [given, type, provider].includes("sqlite");
}

/** Better Auth then renews sessions from their cookies alone, also those of a suspended tenant. */
function requireStoredSessions({ sessionConfig }: AuthContext): void {
	if (!sessionConfig.cookieRefreshCache) return;
	throw new BetterAuthError(
		"tenantAuth: tenants need stored sessions. Set database, or session.cookieCache.refreshCache to false.",
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
