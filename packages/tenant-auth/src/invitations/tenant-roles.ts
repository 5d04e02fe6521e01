type StoredRole = string | null | undefined;

const RANKS: Readonly<Record<string, number>> = { member: 0, admin: 2, owner: 3 };
/** Roles of the app are between a member and an admin. */
const OF_APP = 1;

function rankOf(role: StoredRole): number {
	if (!role) return 0;
	return Object.hasOwn(RANKS, role) ? (RANKS[role] ?? OF_APP) : OF_APP;
}

/** Whether a role gives more than another one. Of two roles of the app, neither does. */
export const isHigher = (role: StoredRole, than: StoredRole): boolean =>
	rankOf(role) > rankOf(than);
