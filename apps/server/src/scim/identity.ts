import type { DBTransactionAdapter } from "@better-auth/core/db/adapter";
import type { SCIMOptions } from "@better-auth/scim";
import type { User } from "better-auth";
import { APIError } from "better-auth/api";
import { type DirectoryUsers, manageAsDirectory } from "better-auth-tenant";
import { requireDirectory, runningCall } from "./running-call";
import type { DisabledUserRow } from "./schema";

type TenantUser = User & { disabledAt?: Date | null };

/** Requests that give an existing user to the directory. */
const linking = new WeakSet<object>();

/** Who a SCIM user is in the tenant, and what the directory does to them. */
export const identity: NonNullable<SCIMOptions["identity"]> = {
	async resolveUser({ resource }, { database }) {
		const where = [{ field: "email", value: resource.primaryEmail }];
		const user = await database.findOne<User>({ model: "user", where });
		if (!user) return { action: "create" };
		// Somebody else may have signed up with the email, and know the password.
		if (!user.emailVerified) throw unverifiedEmail();
		const { request } = runningCall();
		if (request) linking.add(request);
		return { action: "link", userId: user.id, profile: "manage" };
	},

	/** It runs in the transaction of every change to a SCIM user. */
	async reconcileUser({ userId, active }, { database }) {
		const call = runningCall();
		const users = await manageAsDirectory(call, await requireDirectory(call));
		const user: TenantUser = await users.requireUser(userId);
		if (call.method !== "DELETE") {
			const isNew = call.method === "POST" && !(call.request && linking.has(call.request));
			await users.record(isNew ? "user:create" : "user:update", userId);
		}
		await (active ? enable(database, users, user) : disable(database, users, user));
	},
};

const ofUser = (userId: string) => [{ field: "userId", value: userId }];

async function disable(
	database: DBTransactionAdapter,
	users: DirectoryUsers,
	{ id: userId, disabledAt: before }: TenantUser,
): Promise<void> {
	if (before) return;
	const { disabledAt }: TenantUser = await users.disable(userId);
	await database.deleteMany({ model: "scimDisabledUser", where: ofUser(userId) });
	await database.create({ model: "scimDisabledUser", data: { userId, disabledAt } });
}

async function enable(
	database: DBTransactionAdapter,
	users: DirectoryUsers,
	{ id: userId, disabledAt }: TenantUser,
): Promise<void> {
	if (!disabledAt) return;
	const where = ofUser(userId);
	const row = await database.findOne<DisabledUserRow>({ model: "scimDisabledUser", where });
	// Another date is of somebody who has disabled the user since.
	if (row?.disabledAt.getTime() !== disabledAt.getTime()) return;
	await users.enable(userId);
	await database.deleteMany({ model: "scimDisabledUser", where });
}

const unverifiedEmail = () =>
	new APIError("CONFLICT", {
		schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"],
		status: "409",
		scimType: "uniqueness",
		detail: "A user of the tenant has this email and has not verified it",
	});
