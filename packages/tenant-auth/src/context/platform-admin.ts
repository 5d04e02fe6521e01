import type { ResolvedOptions } from "../options";
import { PLATFORM_ID, tenantIdOf } from "./scope";

/** Whether a session belongs to a platform user who manages everything, by the app's options. */
export function isPlatformAdmin(
	{ session, user }: { session: object; user: { id: string } },
	{ adminUserIds, adminRoles }: ResolvedOptions,
): boolean {
	// A tenant's end users never manage anything through their role on the platform.
	if (tenantIdOf(session) !== PLATFORM_ID) return false;
	if (tenantIdOf(user) !== PLATFORM_ID) return false;
	if (adminUserIds.includes(user.id)) return true;
	return rolesOf(user).some((role) => adminRoles.includes(role));
}

/** The admin plugin stores several roles as one text, separated by commas. */
function rolesOf(user: object): string[] {
	const roles = "role" in user ? user.role : null;
	return typeof roles === "string" ? roles.split(",").map((role) => role.trim()) : [];
}
