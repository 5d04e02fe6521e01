import { PLATFORM_ID, scopeOfRow } from "../context/scope";
import type { ResolvedOptions } from "../options";

/** Whether a session is that of a platform user who manages everything, by the host's options. */
export function isPlatformAdministrator(
	{ session, user }: { session: object; user: { id: string } },
	{ adminUserIds, adminRoles }: ResolvedOptions,
): boolean {
	// A tenant's end users never manage anything through their role on the platform.
	if (scopeOfRow(session).tenantId !== PLATFORM_ID) return false;
	if (scopeOfRow(user).tenantId !== PLATFORM_ID) return false;
	if (adminUserIds.includes(user.id)) return true;
	return rolesOf(user).some((role) => adminRoles.includes(role));
}

/** The admin plugin keeps several roles in one text, separated by commas. */
function rolesOf(user: object): string[] {
	const roles = "role" in user ? user.role : null;
	return typeof roles === "string" ? roles.split(",").map((role) => role.trim()) : [];
}
