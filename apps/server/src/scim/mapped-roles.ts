import { getCurrentAdapter } from "@better-auth/core/context";
import type { DBTransactionAdapter } from "@better-auth/core/db/adapter";
import type { SCIMOptions } from "@better-auth/scim";
import type { User } from "better-auth";
import {
	type DirectoryUsers,
	getCurrentTenantId,
	manageAsDirectory,
	type SessionStage,
	setMappedRole,
} from "better-auth-tenant";
import { findGroupRole, type GroupRoles, MEMBER } from "../group-roles";
import { findGroupsWithRoles, lockGroupRoles } from "./group-role-store";
import { requireDirectory, runningCall } from "./running-call";
import type { MappedRoleRow } from "./schema";

type TenantUser = User & { tenantRole?: string | null };
type Group = { id: string; displayName: string };
type Membership = { groupId: string; scimUserId: string };

/** What decides the roles in one transaction. */
type Mapping = {
	roles: GroupRoles;
	/** Those that have a role. */
	groups: Group[];
	known: readonly string[];
	/** The one who changes roles. */
	users: () => Promise<DirectoryUsers>;
};

/** Makes the SCIM plugin give roles, in the transaction of every change to a user or a group. */
export function roleProjection(known: readonly string[]): NonNullable<SCIMOptions["projection"]> {
	/** A change of a group concerns many users. */
	const mappings = new WeakMap<DBTransactionAdapter, Promise<Mapping>>();
	return {
		async reconcileUser({ userId }, { database }) {
			const found = mappings.get(database) ?? findMapping(database, known);
			mappings.set(database, found);
			const mapping = await found;
			// Nobody has a role of a group after all roles were removed.
			if (Object.keys(mapping.roles).length > 0) await setRoles(database, mapping, [userId]);
		},
	};
}

async function findMapping(
	database: DBTransactionAdapter,
	known: readonly string[],
): Promise<Mapping> {
	const roles = await lockGroupRoles(database, (await getCurrentTenantId()) ?? "");
	const groups = await findGroupsWithRoles(database, roles);
	const call = runningCall();
	const users = async () => manageAsDirectory(call, await requireDirectory(call));
	return { roles, groups, known, users };
}

/** More than all groups with roles can have. */
const MAX_MEMBERS = 100_000;
const BATCH = 100;

/** Gives all users the roles of their groups, after the roles of groups have changed. */
export async function setRolesOfAll(
	database: DBTransactionAdapter,
	{ roles, known, users }: Omit<Mapping, "groups">,
): Promise<void> {
	const groups = await findGroupsWithRoles(database, roles);
	const given = await database.findMany<MappedRoleRow>({
		model: "scimMappedRole",
		limit: MAX_MEMBERS,
	});
	const members = groups.length === 0 ? [] : await findMembers(database, groups);
	const userIds = [...new Set([...given, ...members].map(({ userId }) => userId))];
	for (let start = 0; start < userIds.length; start += BATCH) {
		const batch = userIds.slice(start, start + BATCH);
		await setRoles(database, { roles, groups, known, users }, batch);
	}
}

async function findMembers(
	database: DBTransactionAdapter,
	groups: Group[],
): Promise<{ userId: string }[]> {
	const memberships = await database.findMany<Membership>({
		model: "scimGroupMember",
		where: [{ field: "groupId", operator: "in", value: groups.map(({ id }) => id) }],
		limit: MAX_MEMBERS,
	});
	const ids = [...new Set(memberships.map(({ scimUserId }) => scimUserId))];
	const members: { userId: string }[] = [];
	for (let start = 0; start < ids.length; start += BATCH) {
		const batch = ids.slice(start, start + BATCH);
		members.push(...(await findByIds<{ userId: string }>(database, "scimUser", "id", batch)));
	}
	return members;
}

async function setRoles(
	database: DBTransactionAdapter,
	mapping: Mapping,
	userIds: string[],
): Promise<void> {
	const groupsOf = await findGroupsOf(database, mapping.groups, userIds);
	const found = await findByIds<TenantUser>(database, "user", "id", userIds);
	const rows = await findByIds<MappedRoleRow>(database, "scimMappedRole", "userId", userIds);
	const givenTo = new Map(rows.map(({ userId, role }) => [userId, role]));
	for (const { id, tenantRole } of found) {
		const groups = groupsOf.get(id) ?? new Set();
		const role = findGroupRole(mapping.roles, groups, mapping.known);
		const given = givenTo.get(id) ?? null;
		await setRole(database, mapping, { id, role, given, current: tenantRole || MEMBER });
	}
}

type RoleOfUser = { id: string; role: string | null; given: string | null; current: string };

/**
 * A role that somebody else gave stays, unless one of the user's groups has a role. The role of an owner
 * stays in any case: only people make owners, and only people end it.
 */
async function setRole(
	database: DBTransactionAdapter,
	{ users }: Mapping,
	{ id, role, given, current }: RoleOfUser,
): Promise<void> {
	const next = current === "owner" ? null : role;
	const model = "scimMappedRole";
	const where = [{ field: "userId", value: id }];
	if (next !== given) {
		if (given !== null) await database.deleteMany({ model, where });
		if (next !== null) await database.create({ model, data: { userId: id, role: next } });
	}
	const isLost = next === null && given === current;
	const wanted = next ?? (isLost ? MEMBER : current);
	if (wanted !== current) await (await users()).mapRole(id, wanted);
}

/**
 * The names of the groups of each user that have a role. Also of somebody who is not active: otherwise a token
 * could put them into a group whose role it may not give, and another token would activate them.
 */
async function findGroupsOf(
	database: DBTransactionAdapter,
	groups: Group[],
	userIds: string[],
): Promise<Map<string, Set<string>>> {
	type Row = { id: string; userId: string };
	const found = await findByIds<Row>(database, "scimUser", "userId", userIds);
	const userOf = new Map(found.map(({ id, userId }) => [id, userId]));
	const names = new Map(groups.map(({ id, displayName }) => [id, displayName]));
	const groupsOf = new Map<string, Set<string>>();
	if (userOf.size === 0 || names.size === 0) return groupsOf;
	const memberships = await database.findMany<Membership>({
		model: "scimGroupMember",
		where: [
			{ field: "scimUserId", operator: "in", value: [...userOf.keys()] },
			{ field: "groupId", operator: "in", value: [...names.keys()] },
		],
		limit: userOf.size * names.size,
	});
	for (const { scimUserId, groupId } of memberships) {
		const userId = userOf.get(scimUserId) ?? "";
		const ofUser = groupsOf.get(userId) ?? new Set();
		groupsOf.set(userId, ofUser.add(names.get(groupId) ?? ""));
	}
	return groupsOf;
}

const findByIds = <Row>(
	database: DBTransactionAdapter,
	model: string,
	field: string,
	value: string[],
): Promise<Row[]> =>
	database.findMany<Row>({
		model,
		where: [{ field, operator: "in", value }],
		limit: value.length,
	});

/** A role of a group of the directory comes before one that an identity provider gives at a sign-in. */
export const directoryFirst: SessionStage = {
	async before({ endpoint, userId }) {
		if (!endpoint) return;
		const database = await getCurrentAdapter(endpoint.context.adapter);
		const where = [{ field: "userId", value: userId }];
		if (await database.findOne({ model: "scimMappedRole", where })) setMappedRole(null);
	},
};
