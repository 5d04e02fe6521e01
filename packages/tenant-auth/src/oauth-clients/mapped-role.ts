import type { AuthContext } from "@better-auth/core";
import { defineCallState } from "../context/current-state";
import { OWNER, roleOf, storedRole } from "../management/roles";

type InternalAdapter = AuthContext["internalAdapter"];

/** The role that the tenant's own identity provider gives the user who signs in with this call. */
const call = defineCallState<{ role: string | null }>(() => ({ role: null }));

export function setMappedRole(role: string): void {
	call.get().role = role;
}

/**
 * Gives a user the role that the identity provider says, at each sign-in. Who leaves a group there loses
 * the role here at the next sign-in.
 *
 * By wrapping the functions that core calls: its hooks get no user when a session is created.
 */
export function assignMappedRoles(users: InternalAdapter): InternalAdapter {
	return {
		...users,
		createUser: (user, ...rest) => {
			const role = call.find()?.role;
			return users.createUser(role ? { ...user, tenantRole: storedRole(role) } : user, ...rest);
		},
		createSession: async (userId, ...rest) => {
			const role = call.find()?.role;
			if (role) {
				const user = await users.findUserById(userId);
				const current = user ? roleOf(user) : role;
				// Only people give away a tenant, so an identity provider does not change this role.
				if (current !== OWNER && current !== role) {
					await users.updateUser(userId, { tenantRole: storedRole(role) });
				}
			}
			return users.createSession(userId, ...rest);
		},
	};
}
