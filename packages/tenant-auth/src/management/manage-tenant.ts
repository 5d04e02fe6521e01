import type { GenericEndpointContext } from "@better-auth/core";
import type { User } from "@better-auth/core/db";
import { APIError, BASE_ERROR_CODES } from "@better-auth/core/error";
import { type Actor, requireActor } from "../audit/audit-event";
import { audited } from "../audit/audit-store";
import { requireInstance, runInScope } from "../context/current-state";
import { isPossibleId } from "../context/tenant-id";
import type { APP_ACTIONS } from "../routes";
import { requireOwner, requireReachable } from "./acting-member";
import { requireManagedTenant } from "./authorize";

/** What an audit event says about a change. It must not contain a secret. */
export interface AuditedChange {
	/** What was changed in the tenant. */
	targetId?: string;
	detail?: Record<string, unknown>;
}

/** A tenant that the caller of an endpoint may manage. It may be suspended. */
export interface ManagedTenant {
	readonly tenantId: string;
	/** Who calls, as the audit log names them. */
	readonly actor: Actor;
	/**
	 * Call it for what decides how an owner gets in.
	 *
	 * @throws APIError `ROLE_NOT_ALLOWED` for a user of the tenant who is not an owner
	 */
	requireOwner(message?: string): void;
	/**
	 * Finds a user of the tenant.
	 *
	 * @param changes whether the call changes something of the user. A member of the tenant whose role
	 *   permits less than the user's may not.
	 * @throws APIError `USER_NOT_FOUND`, `ROLE_NOT_ALLOWED`
	 */
	requireUser(userId: string, options: { changes: boolean }): Promise<User>;
	/** Runs `work` in the tenant. */
	read<T>(work: () => Promise<T>): Promise<T>;
	/**
	 * Runs `work` in the tenant and in a transaction, and writes an audit event: both or neither. Use
	 * `getCurrentAdapter()` in it. If it loses against another writer, it runs again.
	 */
	change<T>(work: () => Promise<T>, describe: (result: T) => AuditedChange): Promise<T>;
}

/**
 * For an endpoint of your app below `/tenant/`: the tenant that the request names, after a check that the
 * caller may manage it, by the rules of this plugin's own endpoints.
 *
 * @throws APIError as they do
 * @example
 * ```ts
 * createAuthEndpoint("/tenant/application/list", { method: "GET" }, async (ctx) => {
 *   const tenant = await manageTenant(ctx, "application:list");
 *   return ctx.json(await tenant.read(() => ctx.context.adapter.findMany({ model: "oauthClient" })));
 * });
 * ```
 */
export async function manageTenant(
	ctx: GenericEndpointContext,
	action: (typeof APP_ACTIONS)[number] | "tenant:update",
): Promise<ManagedTenant> {
	const instance = requireInstance(ctx.context);
	const scope = await requireManagedTenant(ctx, instance.options, action);
	const { tenantId } = scope;
	return {
		tenantId,
		actor: requireActor(),
		requireOwner,
		requireUser: async (userId, { changes }) => {
			const user = isPossibleId(ctx.context.options, userId)
				? await runInScope(instance, scope, () => ctx.context.internalAdapter.findUserById(userId))
				: null;
			// MySQL ignores case and trailing spaces.
			if (user?.id !== userId) throw APIError.from("NOT_FOUND", BASE_ERROR_CODES.USER_NOT_FOUND);
			if (changes) requireReachable(instance.options, user);
			return user;
		},
		read: (work) => runInScope(instance, scope, work),
		change: (work, describe) =>
			audited(
				ctx,
				() => runInScope(instance, scope, work),
				(result) => ({ action, tenantId, ...describe(result) }),
			),
	};
}
