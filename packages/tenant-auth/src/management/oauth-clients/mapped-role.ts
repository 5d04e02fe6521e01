import type { User } from "@better-auth/core/db";
import { BetterAuthError } from "@better-auth/core/error";
import { defineCallState, findEndpoint } from "../../call/context/current-state";
import { attemptOf } from "../../call/context/policy-check";
import { tenantIdOf } from "../../call/context/tenant";
import type { InternalAdapter, StageParts } from "../../database/internal-adapter";
import { runRetried } from "../../database/write-conflicts";
import { OWNER, roleOf, storedRole } from "../access/roles";
import { recordAuditEvent } from "../audit/audit-store";

/** The role that the tenant's own identity provider gives the user who signs in with this call. */
const call = defineCallState<{ role: string | null }>(() => ({ role: null }));

/**
 * Gives the user who signs in with the running call a role in the tenant, as its identity provider says. Call
 * it while the sign-in runs, before the user is created or found. It changes the user when the session is made,
 * and an audit event says so. The role of an owner stays, and nobody becomes an owner. With `null`, every role stays.
 *
 * @throws BetterAuthError for the role `owner`: only people give away a tenant
 */
export function setMappedRole(role: string | null): void {
	if (role === OWNER) throw new BetterAuthError("An identity provider cannot make owners");
	call.get().role = role;
}

/**
 * Gives a user the role that the identity provider says, at each sign-in. Who leaves a group there loses
 * the role here at the next sign-in.
 *
 * By wrapping the functions that core calls: its hooks get no user when a session is created.
 */
export function assignMappedRoles(users: InternalAdapter): StageParts {
	return {
		createUser: async <T extends Record<string, unknown>>(
			...[user, ...rest]: Parameters<InternalAdapter["createUser"]>
		) => {
			const role = call.find()?.role;
			if (!role) return users.createUser<T>(user, ...rest);
			const created = await users.createUser<T>({ ...user, tenantRole: storedRole(role) }, ...rest);
			// A member has no role, and an invitation may have given another one.
			if (created && storedRole(role) && roleOf(created) === role) await recordRole(created, role);
			return created;
		},
		beforeSession: async (userId) => {
			const role = call.find()?.role;
			const user: User | null = role ? await users.findUserById(userId) : null;
			// Only people give away a tenant, so an identity provider does not change this role.
			if (role && user && ![OWNER, role].includes(roleOf(user))) await changeRole(user, role);
		},
	};

	async function changeRole(user: User, role: string): Promise<void> {
		const work = async () => {
			await users.updateUser(user.id, { tenantRole: storedRole(role) });
			await recordRole(user, role, roleOf(user));
		};
		const endpoint = findEndpoint();
		await (endpoint ? runRetried(endpoint.context.adapter, work) : work());
	}
}

/** The identity provider is the cause, and it is not one of those who manage. */
async function recordRole(user: User, role: string, before?: string): Promise<void> {
	const endpoint = findEndpoint();
	if (!endpoint) return;
	const { providerId } = attemptOf(endpoint);
	await recordAuditEvent(
		endpoint,
		{
			action: "user:map-role",
			tenantId: tenantIdOf(user),
			targetId: user.id,
			detail: { role, ...(before ? { before } : {}), ...(providerId ? { providerId } : {}) },
		},
		{ kind: "server", id: null },
	);
}
