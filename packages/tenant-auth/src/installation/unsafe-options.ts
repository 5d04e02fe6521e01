import type { AuthContext } from "@better-auth/core";
import { BetterAuthError } from "@better-auth/core/error";
import { addedFields } from "../database/row-fields";
import { reusesIds } from "../management/audit/retention";
import type { ResolvedOptions } from "../options";

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
