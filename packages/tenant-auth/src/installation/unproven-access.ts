import type { AuthContext } from "@better-auth/core";
import type { User } from "@better-auth/core/db";
import type { Where } from "@better-auth/core/db/adapter";
import { currentScope } from "../call/context/current-scope";
import { findEndpoint, findState } from "../call/context/current-state";
import { isByManagement } from "../call/context/policy-check";
import { findLiveSession, findPresentedSessionTokens } from "../call/context/presented-sessions";
import type { TenantInstance } from "../call/context/request-state";
import { ALL_TENANTS, PLATFORM_ID, type TenantScope } from "../call/context/tenant";
import { CREDENTIALS } from "../call/foreign";
import { currentAdapter } from "../database/current-adapter";
import type { InternalAdapter, StageParts } from "../database/internal-adapter";
import { deleteFactor } from "../management/users/second-factor";
import { endSessions } from "../management/users/session-store";
import { tenantError } from "../tenant-error";

type Changes = Record<string, unknown>;

/**
 * An account whose email nobody has proven may have been created by somebody else, who knows its password
 * or has a session. If there is an invitation for the email, the person who proves it next is about to get
 * a role. So everything that was there before ends first: sessions, passwords, linked accounts, passkeys,
 * keys and grants. A user who proves the email while signed in keeps the password.
 *
 * Core does the same for magic links and one-time codes, but not for the link of a verification email.
 */
export function endUnprovenAccess(
	inner: InternalAdapter,
	ctx: AuthContext,
	instance: TenantInstance,
): StageParts {
	const prepare = async (changes: Changes, find: () => Promise<User | null>) => {
		if (instance.features.admissions.length === 0) return;
		if (changes.emailVerified !== true || isByManagement()) return;
		const scope = await currentScope(instance);
		if (scope === ALL_TENANTS || scope.tenantId === PLATFORM_ID) return;
		// A platform admin who declares the email verified acts for the app.
		if (findState(instance)?.actingAdmin) return;
		const user = await find();
		if (user && (await isExpected(ctx, instance, scope, user, changes)))
			await endAccess(ctx, scope, user);
	};
	return {
		updateUser: async <T extends Changes>(userId: string, changes: Changes) => {
			await prepare(changes, () => inner.findUserById(userId));
			return inner.updateUser<T>(userId, changes);
		},
		updateUserByEmail: async <T extends Changes>(email: string, changes: Changes) => {
			const find = async () => (await inner.findUserByEmail(email))?.user ?? null;
			await prepare(changes, find);
			return inner.updateUserByEmail<T>(email, changes);
		},
	};
}

/** Whether the change proves an email that a feature expects. */
async function isExpected(
	{ adapter }: AuthContext,
	{ features }: TenantInstance,
	scope: TenantScope,
	user: User,
	changes: Changes,
): Promise<boolean> {
	const email = typeof changes.email === "string" ? changes.email : user.email;
	if (user.emailVerified && user.email === email) return false;
	const database = currentAdapter(adapter);
	for (const admission of features.admissions) {
		if (await admission.isExpected(database, scope.tenantId, email)) return true;
	}
	return false;
}

async function endAccess(ctx: AuthContext, scope: TenantScope, user: User): Promise<void> {
	const { id } = user;
	const keepsPassword = await isSignedIn(id);
	const hasEnded = await endSessions(ctx, scope, { userId: id }, async () => {
		await deleteCredentials(ctx, id, keepsPassword);
		await deleteFactor(ctx, user);
		return true;
	});
	// A hook of the app kept the sessions.
	if (!hasEnded) throw tenantError("USER_NOT_SAVED");
}

/** Whether the running request has a session of this user: then it is the user who proves the email. */
async function isSignedIn(userId: string): Promise<boolean> {
	const call = findEndpoint();
	if (!call) return false;
	for (const token of findPresentedSessionTokens(call)) {
		if ((await findLiveSession(call, token))?.user.id === userId) return true;
	}
	return false;
}

async function deleteCredentials(ctx: AuthContext, userId: string, keepsPassword: boolean) {
	const database = currentAdapter(ctx.adapter);
	const password: Where = { field: "providerId", operator: "ne", value: "credential" };
	await database.deleteMany({
		model: "account",
		where: [{ field: "userId", value: userId }, ...(keepsPassword ? [password] : [])],
	});
	for (const [model, field] of Object.entries(CREDENTIALS)) {
		if (!(model in ctx.tables)) continue;
		await database.deleteMany({ model, where: [{ field, value: userId }] });
	}
}
