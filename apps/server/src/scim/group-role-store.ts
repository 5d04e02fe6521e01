import { randomUUID } from "node:crypto";
import type { DBTransactionAdapter } from "@better-auth/core/db/adapter";
import { APIError } from "better-auth/api";
import type { GroupRoles } from "../group-roles";

type GroupRolesRow = { id: string; tenantId: string; roles: string; revision: string };

type Finds = Pick<DBTransactionAdapter, "findOne">;

const model = "scimGroupRoles";

const findRow = (database: Finds, tenantId: string) =>
	database.findOne<GroupRolesRow>({ model, where: [{ field: "tenantId", value: tenantId }] });

/** The roles of the directory's groups in a tenant, as its owner has saved them. */
export async function findGroupRoles(database: Finds, tenantId: string): Promise<GroupRoles> {
	const row = await findRow(database, tenantId);
	return row ? JSON.parse(row.roles) : {};
}

/**
 * Makes the row that is locked when roles or groups change, and returns its id. Call it outside of a
 * transaction, and before the tenant has a directory: two may make it at the same time.
 */
export async function requireGroupRolesId(
	database: Finds & Pick<DBTransactionAdapter, "create">,
	tenantId: string,
): Promise<string> {
	const found = await findRow(database, tenantId);
	if (found) return found.id;
	const data = { tenantId, roles: "{}", revision: randomUUID() };
	try {
		return (await database.create<Omit<GroupRolesRow, "id">, GroupRolesRow>({ model, data })).id;
	} catch (error) {
		const winner = await findRow(database, tenantId);
		if (winner) return winner.id;
		throw error;
	}
}

/**
 * Call it first in the transaction. It waits for changes of groups that are running. MySQL shows what they
 * did, because nothing was read before: a query by the id writes at once.
 */
export async function saveGroupRoles(
	database: Pick<DBTransactionAdapter, "updateMany">,
	id: string,
	roles: GroupRoles,
): Promise<void> {
	await database.updateMany({
		model,
		where: [{ field: "id", value: id }],
		update: { roles: JSON.stringify(roles), revision: randomUUID() },
	});
}

/**
 * The roles, which stay the same until the transaction ends. If they have changed since it has started,
 * MySQL would show users as they were before, so it has to start again.
 *
 * The row changes, because a cluster such as Galera locks rows on one node only: two transactions on two
 * nodes collide if both change a row.
 */
export async function lockGroupRoles(
	database: Finds & Pick<DBTransactionAdapter, "updateMany">,
	tenantId: string,
): Promise<GroupRoles> {
	const row = await findRow(database, tenantId);
	// The first token of a tenant has made it.
	if (!row) return {};
	const { id, revision, roles } = row;
	const locked = await database.updateMany({
		model,
		where: [
			{ field: "id", value: id },
			{ field: "revision", value: revision },
		],
		update: { lockedAt: new Date() },
	});
	if (locked === 0) throw changedMeanwhile();
	return JSON.parse(roles);
}

const changedMeanwhile = () =>
	new APIError("CONFLICT", { message: "The roles of groups changed at the same time. Try again" });

type GroupRow = { id: string; displayName: string };

const PAGE_SIZE = 1000;

/** A tenant has one directory, and no two groups of it have the same name. */
export async function findGroupsWithRoles(
	database: Pick<DBTransactionAdapter, "findMany">,
	roles: GroupRoles,
): Promise<GroupRow[]> {
	const names = Object.keys(roles);
	if (names.length === 0) return [];
	const found: GroupRow[] = [];
	for (let offset = 0; ; offset += PAGE_SIZE) {
		const rows = await database.findMany<GroupRow>({
			model: "scimGroup",
			where: [{ field: "displayName", operator: "in", value: names }],
			sortBy: { field: "id", direction: "asc" },
			...{ limit: PAGE_SIZE, offset },
		});
		// MySQL ignores case, accents and trailing spaces: any number of groups may look like one of these.
		found.push(...rows.filter(({ displayName }) => Object.hasOwn(roles, displayName)));
		if (rows.length < PAGE_SIZE) return found;
	}
}
