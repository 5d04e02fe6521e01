import type { AuthContext, GenericEndpointContext } from "@better-auth/core";
import { getCurrentAdapter } from "@better-auth/core/context";
import type { User } from "@better-auth/core/db";
import { APIError, BASE_ERROR_CODES } from "@better-auth/core/error";
import { requireInstance, runInScope } from "../../call/context/current-state";
import { byManagement } from "../../call/context/policy-check";
import type { TenantScope } from "../../call/context/tenant";
import { tenantError } from "../../tenant-error";
import type { ReachableUser } from "../access/reachable-user";
import { audited, recordAuditEvent } from "../audit/audit-store";
import { findOwnerCheck } from "./owners";
import { endSessionsWith } from "./session-store";
import { updateUserAtomically } from "./update-user";

/** A user as those who manage the tenant see it. */
export interface TenantUser extends User {
	tenantId: string;
	/** `null` means `member`. */
	tenantRole?: string | null;
	/** Set while the user is disabled. */
	disabledAt?: Date | null;
}

export interface NewUser {
	email: string;
	name: string;
	emailVerified: boolean;
	image?: string | null | undefined;
	tenantRole?: string | undefined;
	/** Fields of the app and of other plugins. */
	[field: string]: unknown;
}

/** Creates a user as core's sign-up does, with hooks, and without the tenant's rules for sign-up. */
export async function createUser(
	ctx: GenericEndpointContext,
	tenant: TenantScope,
	user: NewUser,
	password: string | undefined,
): Promise<User> {
	const { internalAdapter } = ctx.context;
	const work = async () => {
		if (await internalAdapter.findUserByEmail(user.email)) throw emailTaken();
		// Before the transaction, which would wait for it.
		const hash = password === undefined ? null : await ctx.context.password.hash(password);
		const { tenantRole: role } = user;
		return audited(
			ctx,
			() => byManagement(() => insertUser(ctx.context, user, hash)),
			({ id }) => ({
				action: "user:create",
				tenantId: tenant.tenantId,
				targetId: id,
				...(role ? { detail: { role } } : {}),
			}),
		);
	};
	return runInScope(requireInstance(ctx.context), tenant, work).catch(refuseTakenEmail);
}

async function insertUser(
	{ internalAdapter }: AuthContext,
	user: NewUser,
	password: string | null,
): Promise<User> {
	const created: User | null = await internalAdapter.createUser(user, { method: "admin" });
	if (!created) throw tenantError("USER_NOT_SAVED");
	if (password !== null) {
		const { id: userId } = created;
		await internalAdapter.linkAccount({
			userId,
			accountId: userId,
			providerId: "credential",
			password,
		});
	}
	return created;
}

export interface UserChanges {
	name?: string | undefined;
	image?: string | null | undefined;
	email?: string | undefined;
	emailVerified?: boolean | undefined;
	tenantRole?: string | undefined;
}

export async function updateUser(
	ctx: GenericEndpointContext,
	tenant: TenantScope,
	{ user, recheck }: ReachableUser,
	changes: UserChanges,
): Promise<User> {
	const { email } = changes;
	const isMoved = email !== undefined && email !== user.email;
	const complete = {
		...changes,
		// Nobody has verified the new address yet.
		...(isMoved && changes.emailVerified === undefined ? { emailVerified: false } : {}),
		updatedAt: new Date(),
	};
	const { tenantRole: role, ...fields } = changes;
	const event = {
		action: "user:update",
		tenantId: tenant.tenantId,
		targetId: user.id,
		detail: { fields: Object.keys(fields).sort(), ...(role ? { role } : {}) },
	} as const;
	const updated: User | null = await runInScope(requireInstance(ctx.context), tenant, () =>
		byManagement(() =>
			updateUserAtomically(ctx.context, user.id, complete, {
				before: recheck,
				alongside: () => recordAuditEvent(ctx, event),
			}),
		),
	).catch(refuseTakenEmail);
	if (!updated) throw tenantError("USER_NOT_SAVED");
	return updated;
}

/** Disables a user and ends all sessions, both or neither. A disabled user keeps the date. */
export async function disableUser(
	ctx: GenericEndpointContext,
	tenant: TenantScope,
	{ user, recheck }: ReachableUser,
): Promise<User> {
	const { id } = user;
	const requireOtherOwner = await runInScope(requireInstance(ctx.context), tenant, () =>
		findOwnerCheck(ctx.context, id),
	);
	const checked: ReachableUser = {
		user,
		recheck: async () => {
			// It locks the tenant's row, so it comes first.
			await requireOtherOwner(await getCurrentAdapter(ctx.context.adapter));
			await recheck();
		},
	};
	const change = () => setDisabledAt(ctx.context, id, disabledAtOf(user) ?? new Date());
	const describe = () => ({ action: "user:disable" }) as const;
	const disabled = await endSessionsWith(ctx, tenant, checked, change, describe);
	if (!disabled) throw tenantError("USER_NOT_SAVED");
	return disabled;
}

export function enableUser(
	ctx: GenericEndpointContext,
	tenant: TenantScope,
	{ user: { id }, recheck }: ReachableUser,
): Promise<User> {
	const { tenantId } = tenant;
	return runInScope(requireInstance(ctx.context), tenant, () =>
		audited(
			ctx,
			async () => {
				await recheck();
				return setDisabledAt(ctx.context, id, null);
			},
			() => ({ action: "user:enable", tenantId, targetId: id }),
		),
	);
}

export function disabledAtOf(user: object): Date | null {
	const disabledAt = "disabledAt" in user ? user.disabledAt : null;
	return disabledAt instanceof Date ? disabledAt : null;
}

/** Not through core's hooks: they may use the database, and this runs in a transaction. */
async function setDisabledAt(
	{ adapter }: AuthContext,
	userId: string,
	disabledAt: Date | null,
): Promise<User> {
	const user = await (await getCurrentAdapter(adapter)).update<User>({
		model: "user",
		where: [{ field: "id", value: userId }],
		update: { disabledAt, updatedAt: new Date() },
	});
	if (!user) throw APIError.from("NOT_FOUND", BASE_ERROR_CODES.USER_NOT_FOUND);
	return user;
}

const emailTaken = () =>
	APIError.from("UNPROCESSABLE_ENTITY", BASE_ERROR_CODES.USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL);

/** The unique index decides. A manager may know it, unlike somebody who signs up. */
function refuseTakenEmail(error: unknown): never {
	const code = error instanceof APIError ? error.body?.code : undefined;
	throw code === BASE_ERROR_CODES.USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL.code ? emailTaken() : error;
}
