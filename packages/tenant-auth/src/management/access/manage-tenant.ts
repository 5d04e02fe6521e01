import type { GenericEndpointContext } from "@better-auth/core";
import type { User } from "@better-auth/core/db";
import { requireInstance, runInScope } from "../../call/context/current-state";
import { scopeOf } from "../../call/context/tenant";
import type { ManagementAction } from "../../routes";
import { type Actor, requireActor } from "../audit/audit-event";
import { audited } from "../audit/audit-store";
import { findActingMember, requireOwner } from "./acting-member";
import { requireManagedTenant } from "./authorize";
import { type ReachableUser, requireReachableUser, requireUser } from "./reachable-user";

/** What an audit event says about a change. It must not contain a secret. */
export interface AuditedChange {
	/** What was changed in the tenant. */
	targetId?: string;
	detail?: Record<string, unknown>;
}

/** A tenant that the caller of an endpoint may manage. It may be suspended. */
export interface ManagedTenant {
	readonly tenantId: string;
	readonly slug: string;
	/** Who calls, as the audit log names them. */
	readonly actor: Actor;
	/**
	 * Call it for what decides how an owner gets in.
	 *
	 * @throws APIError `ROLE_NOT_ALLOWED` for a user of the tenant who is not an owner
	 */
	requireOwner(message?: string): void;
	/**
	 * The role of a user who manages their own tenant by it; `null` if the app itself manages. A program that
	 * acts for the caller later must not get more rights than this.
	 */
	readonly role: string | null;
	/** @throws APIError `USER_NOT_FOUND` */
	requireUser(userId: string): Promise<User>;
	/**
	 * A user whom the caller may change. Call its `recheck` first in `change()`.
	 *
	 * @throws APIError `USER_NOT_FOUND`, or `ROLE_NOT_ALLOWED` for a user whose role permits more
	 */
	requireReachableUser(userId: string): Promise<ReachableUser>;
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
	action: ManagementAction,
): Promise<ManagedTenant> {
	const instance = requireInstance(ctx.context);
	const tenant = await requireManagedTenant(ctx, instance.options, action);
	const scope = scopeOf(tenant);
	const { tenantId } = scope;
	return {
		tenantId,
		slug: tenant.slug,
		actor: requireActor(),
		requireOwner,
		role: findActingMember()?.role ?? null,
		requireUser: (userId) => requireUser(ctx, scope, userId),
		requireReachableUser: (userId) => requireReachableUser(ctx, scope, instance.options, userId),
		read: (work) => runInScope(instance, scope, work),
		change: (work, describe) =>
			audited(
				ctx,
				() => runInScope(instance, scope, work),
				(result) => ({ action, tenantId, ...describe(result) }),
			),
	};
}
