import type { GenericEndpointContext } from "@better-auth/core";
import { isPlatformAdministrator } from "../management/platform-administrator";
import type { ResolvedOptions } from "../options";
import { findPresentedSession, findPresentedSessionTokens } from "./presented-sessions";
import { acrossTenants, PLATFORM, type RequestScope, runInScope } from "./scope";

const STOP_IMPERSONATING = "/admin/stop-impersonating";

export function isOfAdminPlugin({ context, path }: GenericEndpointContext): boolean {
	const plugin = context.options.plugins?.find(({ id }) => id === "admin");
	return Object.values(plugin?.endpoints ?? {}).some((endpoint) => endpoint.path === path);
}

/**
 * A platform administrator administers a tenant's users by naming the tenant at an endpoint of the
 * admin plugin. That is the one place where a session of the platform counts in a tenant:
 *
 * - only there, so nowhere else does anybody act in a tenant without being one of its users;
 * - only for those whom the host's `adminUserIds` and `adminRoles` make administrators of all
 *   tenants. Whoever is "admin" in a tenant has a session of that tenant, and stays in it;
 * - only the session crosses. All that the call reads and writes is the tenant's, and what the
 *   caller may do is still the admin plugin's to decide.
 */
export async function admitAdministrator(
	ctx: GenericEndpointContext,
	request: RequestScope,
	options: ResolvedOptions,
): Promise<void> {
	if (!isOfAdminPlugin(ctx)) return;
	if (ctx.path === STOP_IMPERSONATING) return letAdministratorLeave(ctx, request);
	if (!request.scope) return;
	for (const token of findPresentedSessionTokens(ctx)) {
		const found = await runInScope(PLATFORM, () => findPresentedSession(ctx, token));
		if (found && isPlatformAdministrator(found, options)) {
			request.visitor = { userId: found.user.id };
		}
	}
}

/**
 * The session of an impersonation is one of the tenant, and names the administrator. To end it, the
 * plugin looks for that user, and for the session that a signed cookie has kept meanwhile: both are
 * the platform's.
 */
async function letAdministratorLeave(ctx: GenericEndpointContext, request: RequestScope) {
	for (const token of findPresentedSessionTokens(ctx)) {
		// The tenant may have been suspended meanwhile, and its sessions with it.
		const found = await acrossTenants(() => findPresentedSession(ctx, token));
		const userId = found && impersonatorOf(found.session);
		if (!userId) continue;
		const { internalAdapter } = ctx.context;
		const isPlatforms = await runInScope(PLATFORM, () => internalAdapter.findUserById(userId));
		if (isPlatforms) request.visitor = { userId, leaves: true };
	}
}

function impersonatorOf(session: object): string | null {
	const userId = "impersonatedBy" in session ? session.impersonatedBy : null;
	return typeof userId === "string" ? userId : null;
}

/** Whether a session is that of the administrator who visits the request's tenant. */
export function isVisitors(request: RequestScope | null, session: { userId: string }): boolean {
	return request?.visitor?.userId === session.userId;
}
