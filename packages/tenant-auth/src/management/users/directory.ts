import type { GenericEndpointContext } from "@better-auth/core";
import { getCurrentAdapter } from "@better-auth/core/context";
import type { User } from "@better-auth/core/db";
import type { DBTransactionAdapter } from "@better-auth/core/db/adapter";
import { APIError, BASE_ERROR_CODES } from "@better-auth/core/error";
import { currentScope } from "../../call/context/current-scope";
import { requireInstance } from "../../call/context/current-state";
import { byManagement } from "../../call/context/policy-check";
import { ALL_TENANTS, PLATFORM_ID } from "../../call/context/tenant";
import { isWriteConflict } from "../../database/write-conflicts";
import type { ManagementAction } from "../../routes";
import { tenantError } from "../../tenant-error";
import type { ReachableUser } from "../access/reachable-user";
import { OWNER, permits, reaches, roleOf, storedRole } from "../access/roles";
import { type Actor, setActor } from "../audit/audit-event";
import { recordAuditEvent } from "../audit/audit-store";
import { disableUser, enableUser } from "./managed-users";

/** A program that manages the users of a tenant, such as a SCIM client. */
export interface Directory {
	/** As the audit log names it. */
	actor: Actor;
	/** The role of the person who connected it. It may do what this role permits, to users whom it reaches. */
	role: string;
}

/** What a directory does to users of its tenant, in the transaction that is running, if any. */
export interface DirectoryUsers {
	/** @throws APIError `USER_NOT_FOUND`, or `ROLE_NOT_ALLOWED` for a user whose role permits more */
	requireUser(userId: string): Promise<User>;
	/** It ends all sessions. @throws APIError as `enable()`, or `LAST_OWNER`, or `WRITE_CONFLICT` if two owners are disabled at once */
	disable(userId: string): Promise<User>;
	/** @throws APIError as `requireUser()`, or `ROLE_NOT_ALLOWED` if the role does not permit it */
	enable(userId: string): Promise<User>;
	/**
	 * Gives the user the role that a group of the directory stands for. The role of an owner stays.
	 *
	 * @throws APIError as `requireUser()`, or `ROLE_NOT_ALLOWED` for the role `owner` or one that permits more
	 */
	mapRole(userId: string, role: string): Promise<void>;
	/** Records what it does in another way. @throws APIError `ROLE_NOT_ALLOWED` if its role does not permit it */
	record(action: "user:create" | "user:update", userId: string): Promise<void>;
}

/**
 * For a plugin that lets a directory manage the users of the tenant of the call. The plugin has verified
 * who the directory is.
 *
 * @throws APIError `TENANT_ID_REQUIRED` outside of a tenant
 */
export async function manageAsDirectory(
	ctx: GenericEndpointContext,
	{ actor, role: rank }: Directory,
): Promise<DirectoryUsers> {
	const instance = requireInstance(ctx.context);
	const scope = await currentScope(instance);
	if (scope === ALL_TENANTS || scope.tenantId === PLATFORM_ID) {
		throw tenantError("TENANT_ID_REQUIRED");
	}
	const { tenantId } = scope;
	const rights = instance.options;
	setActor(actor);

	const requirePermitted = (action: ManagementAction) => {
		if (!permits(rights, rank, action)) throw tenantError("ROLE_NOT_ALLOWED");
	};

	const requireUser = async (userId: string, trx?: DBTransactionAdapter): Promise<User> => {
		const database = trx ?? (await getCurrentAdapter(ctx.context.adapter));
		const where = [{ field: "id", value: userId }];
		// The lock comes first: MySQL shows the last state of a row that the transaction itself has written.
		await database.updateMany({ model: "user", where, update: { updatedAt: new Date() } });
		const user = await database.findOne<User>({ model: "user", where });
		if (user?.id !== userId) throw APIError.from("NOT_FOUND", BASE_ERROR_CODES.USER_NOT_FOUND);
		if (!reaches(rights, rank, roleOf(user))) throw tenantError("ROLE_NOT_ALLOWED");
		return user;
	};

	const reach = async (userId: string): Promise<ReachableUser> => ({
		user: await requireUser(userId),
		recheck: async (trx) => void (await requireUser(userId, trx)),
	});

	/**
	 * Of two calls that disable the last two owners, the second one sees what the first one did. Both have
	 * locked rows before, so the database may end one of them.
	 */
	const lockOwners = async () => {
		const where = [{ field: "tenantRole", value: OWNER }];
		const database = await getCurrentAdapter(ctx.context.adapter);
		await database
			.updateMany({ model: "user", where, update: { updatedAt: new Date() } })
			.catch((error: unknown) => {
				throw isWriteConflict(error) ? tenantError("WRITE_CONFLICT") : error;
			});
	};

	return {
		requireUser: (userId) => requireUser(userId),
		disable: async (userId) => {
			requirePermitted("user:disable");
			const found = await reach(userId);
			if (roleOf(found.user) === OWNER) await lockOwners();
			return disableUser(ctx, scope, found);
		},
		enable: async (userId) => {
			requirePermitted("user:enable");
			return enableUser(ctx, scope, await reach(userId));
		},
		mapRole: async (userId, role) => {
			requirePermitted("user:update");
			const before = roleOf(await requireUser(userId));
			if (role === OWNER || !reaches(rights, rank, role)) throw tenantError("ROLE_NOT_ALLOWED");
			if (before === OWNER || before === role) return;
			const { internalAdapter: users } = ctx.context;
			await byManagement(() => users.updateUser(userId, { tenantRole: storedRole(role) }));
			const detail = { role, before };
			await recordAuditEvent(ctx, { action: "user:map-role", tenantId, targetId: userId, detail });
		},
		record: async (action, userId) => {
			requirePermitted(action);
			await recordAuditEvent(ctx, { action, tenantId, targetId: userId });
		},
	};
}
