import type { AuthContext } from "@better-auth/core";
import type { User } from "@better-auth/core/db";
import { defineCallState } from "../call/context/current-state";

/** A user with the fields that decide whether a session may start. */
export type KnownUser = User & { disabledAt?: Date | null; twoFactorEnabled?: boolean | null };

/** The users that the running call has read. A check of the user then costs no statement. */
const known = defineCallState(() => new Map<string, KnownUser>());

export function noteUser(row: unknown): void {
	if (row === null || typeof row !== "object" || !("id" in row) || !("disabledAt" in row)) return;
	const user = row as KnownUser;
	known.find()?.set(user.id, user);
}

export async function findKnownUser(
	users: Pick<AuthContext["internalAdapter"], "findUserById">,
	userId: string,
): Promise<KnownUser | null> {
	return known.find()?.get(userId) ?? ((await users.findUserById(userId)) as KnownUser | null);
}
