import type { GenericEndpointContext } from "@better-auth/core";
import type { ResolvedOptions } from "../../options";
import { acrossTenants, requireInstance, runInScope } from "./current-state";
import { findImpersonatingAdmin } from "./impersonation";
import { findPresentedSession, findPresentedSessionTokens } from "./presented-sessions";
import type { RequestState } from "./request-state";
import { PLATFORM, PLATFORM_ID, tenantIdOf } from "./tenant";

/**
 * Lets a platform admin act in the tenant that the request names, at the endpoints of the admin
 * plugin. That is the one place where a session of the platform is valid in a tenant:
 *
 * - only there: everywhere else only a tenant's own users act in it;
 * - only for those whom the app's `adminUserIds` and `adminRoles` name. An "admin" of a tenant has a
 *   session of that tenant, and stays in it;
 * - only the session crosses. The call reads and writes the tenant's rows, and the admin plugin still
 *   decides what the caller may do.
 */
export async function admitActingAdmin(
	ctx: GenericEndpointContext,
	state: RequestState,
	options: ResolvedOptions,
): Promise<void> {
	for (const token of findPresentedSessionTokens(ctx)) {
		const instance = requireInstance(ctx.context);
		const found = await runInScope(instance, PLATFORM, () => findPresentedSession(ctx, token));
		if (found && isPlatformAdmin(found, options)) {
			state.admitActingAdmin({ userId: found.user.id, ending: false });
		}
	}
}

/**
 * Lets a platform admin stop impersonating a user of a tenant, also one that was suspended meanwhile.
 *
 * The session of an impersonation belongs to the tenant and names the admin. To end it, the plugin
 * looks for that user and for the session that a signed cookie has kept. Both belong to the platform.
 */
export async function admitEndOfImpersonation(
	ctx: GenericEndpointContext,
	state: RequestState,
): Promise<void> {
	const { internalAdapter } = ctx.context;
	for (const token of findPresentedSessionTokens(ctx)) {
		const found = await acrossTenants(() => findPresentedSession(ctx, token));
		const userId = found && findImpersonatingAdmin(found.session);
		if (!userId) continue;
		const admin = await runInScope(requireInstance(ctx.context), PLATFORM, () =>
			internalAdapter.findUserById(userId),
		);
		if (admin) state.admitActingAdmin({ userId, ending: true });
	}
}

/** Whether a session belongs to a platform user who manages everything, by the app's options. */
export function isPlatformAdmin(
	{ session, user }: { session: object; user: { id: string } },
	options: ResolvedOptions,
): boolean {
	return tenantIdOf(session) === PLATFORM_ID && isPlatformAdminUser(user, options);
}

/** The same for a user. */
export function isPlatformAdminUser(
	user: { id: string },
	{ adminUserIds, adminRoles }: Pick<ResolvedOptions, "adminUserIds" | "adminRoles">,
): boolean {
	// A tenant's end users never manage anything through their role on the platform.
	if (tenantIdOf(user) !== PLATFORM_ID) return false;
	if (adminUserIds.includes(user.id)) return true;
	return rolesOf(user).some((role) => adminRoles.includes(role));
}

/** The admin plugin stores several roles as one text, separated by commas. */
function rolesOf(user: object): string[] {
	const roles = "role" in user ? user.role : null;
	return typeof roles === "string" ? roles.split(",").map((role) => role.trim()) : [];
}
