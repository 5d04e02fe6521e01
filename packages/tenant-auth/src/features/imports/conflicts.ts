import type { Where } from "@better-auth/core/db/adapter";
import * as z from "zod";
import { PLATFORM_ID, type TenantScope, tenantIdOf } from "../../call/context/tenant";
import { text, textOrNull } from "../../described";
import type { Row } from "../../isolation/raw-adapter";
import { idOf, inBatches } from "../../isolation/row-owners";
import { findPrefix, prefixValues } from "../../isolation/tenant-prefix";
import type { Collected, OwnedRows, Reading } from "./owned-rows";
import { findReferences } from "./references";

export const conflictSchema = z.object({
	code: z
		.enum([
			"USER_NOT_FOUND",
			"USER_IN_TENANT",
			"PLATFORM_ADMIN",
			"EMAIL_TAKEN",
			"VALUE_TAKEN",
			"ACCOUNT_TAKEN",
			"SHARED_ROW",
			"UNSUPPORTED_ROW",
			"API_KEY_IN_STORAGE",
			"IN_SEVERAL_ORGANIZATIONS",
		])
		.meta({ description: "What stands in the way" }),
	userId: textOrNull("The user, if it is about one"),
	model: textOrNull("The table of the row"),
	id: textOrNull("The row"),
	message: text("One sentence for a person"),
});

/** Why a move is refused. */
export type MoveConflict = z.output<typeof conflictSchema>;

/** Longer lists do not help. */
const MAX_CONFLICTS = 1000;

/** Each conflict once, and the first thousand of them. */
export function shortened(conflicts: readonly MoveConflict[]): MoveConflict[] {
	const distinct = new Map(conflicts.map((it) => [JSON.stringify(it), it]));
	return [...distinct.values()].slice(0, MAX_CONFLICTS);
}

export function conflict(
	code: MoveConflict["code"],
	message: string,
	about: { userId?: string | null; model?: string; id?: string } = {},
): MoveConflict {
	const { userId = null, model = null, id = null } = about;
	return { code, userId, model, id, message };
}

const NO_LIMIT = Number.MAX_SAFE_INTEGER;

/** Whether the users themselves can move: they are on the platform, and the tenant has none like them. */
export async function findUserConflicts(
	{ raw }: Reading,
	{ tenantId }: TenantScope,
	userIds: readonly string[],
	users: readonly Row[],
): Promise<MoveConflict[]> {
	const found = new Map(users.map((user) => [idOf(user), user]));
	const conflicts = userIds.flatMap((userId): MoveConflict[] => {
		const user = found.get(userId);
		if (!user) return [conflict("USER_NOT_FOUND", "There is no such user", { userId })];
		if (tenantIdOf(user) === PLATFORM_ID) return [];
		return [conflict("USER_IN_TENANT", "The user is in a tenant already", { userId })];
	});
	for (const batch of inBatches(users.map(({ email }) => String(email)))) {
		const where: Where[] = [
			{ field: "tenantId", value: tenantId },
			{ field: "email", operator: "in", value: batch },
		];
		const taken = await raw.findMany<Row>({ model: "user", where, limit: NO_LIMIT });
		for (const other of taken.filter((other) => !found.has(idOf(other)))) {
			const like = users.find(({ email }) => isSame(email, other.email));
			const message = "The tenant has another user with this email";
			conflicts.push(conflict("EMAIL_TAKEN", message, { userId: like ? idOf(like) : null }));
		}
	}
	return conflicts;
}

/** As the indexes of MySQL compare. */
const isSame = (one: unknown, other: unknown) =>
	String(one).toLowerCase() === String(other).toLowerCase();

/** Whether everything that belongs to the users can move. */
export async function findRowConflicts(
	reading: Reading,
	scope: TenantScope,
	{ rows, shared }: Collected,
): Promise<MoveConflict[]> {
	return [
		...shared.map(({ model, id, userId }) =>
			conflict("SHARED_ROW", `The ${model} also belongs to a user who does not move`, {
				...{ model, id, userId },
			}),
		),
		...findUnsupported(reading, rows),
		...(await findTakenAccounts(reading, scope, rows)),
		...(await findTakenValues(reading, scope, rows)),
	];
}

/**
 * A foreign key to a field with a tenant prefix: both fields would have to change at once, which
 * databases do not allow.
 */
function findUnsupported({ ctx, settings }: Reading, rows: OwnedRows): MoveConflict[] {
	const { prefixedFieldsOf } = settings.tables;
	const keys = findReferences(ctx.tables).filter(
		({ model, name, target }) =>
			prefixedFieldsOf(model).includes(name) &&
			prefixedFieldsOf(target.model).includes(target.name),
	);
	return keys.flatMap(({ model, name, target }) =>
		rows
			.of(model)
			.filter((row) => row[name] !== null && row[name] !== undefined)
			.map((row) =>
				conflict(
					"UNSUPPORTED_ROW",
					`${model}.${name} references ${target.model}.${target.name}, which changes with the tenant`,
					{ model, id: idOf(row) },
				),
			),
	);
}

async function findTakenAccounts(
	{ raw }: Reading,
	{ tenantId }: TenantScope,
	rows: OwnedRows,
): Promise<MoveConflict[]> {
	const conflicts: MoveConflict[] = [];
	const accounts = rows.of("account");
	for (const batch of inBatches(accounts.map(({ accountId }) => String(accountId)))) {
		const where: Where[] = [
			{ field: "tenantId", value: tenantId },
			{ field: "accountId", operator: "in", value: batch },
		];
		for (const other of await raw.findMany<Row>({ model: "account", where, limit: NO_LIMIT })) {
			const own = accounts.find(
				({ providerId, accountId }) =>
					isSame(providerId, other.providerId) && isSame(accountId, other.accountId),
			);
			if (!own) continue;
			const message = `Another user of the tenant has this account of ${own.providerId}`;
			const about = { userId: String(own.userId), model: "account", id: idOf(own) };
			conflicts.push(conflict("ACCOUNT_TAKEN", message, about));
		}
	}
	return conflicts;
}

/** Usernames, phone numbers, slugs of organizations, and other values that are unique per tenant. */
export async function findTakenValues(
	{ raw, settings }: Reading,
	{ tenantId }: TenantScope,
	rows: OwnedRows,
): Promise<MoveConflict[]> {
	const conflicts: MoveConflict[] = [];
	for (const model of rows.models()) {
		const fields = settings.tables.prefixedFieldsOf(model);
		const prefix = await findPrefix(tenantId, fields);
		for (const field of fields) {
			const prefixed = rows.of(model).map((row) => prefixValues(prefix, { [field]: row[field] }));
			const values = prefixed.flatMap(({ [field]: value }) =>
				typeof value === "string" ? [value] : [],
			);
			for (const batch of inBatches(values)) {
				const where: Where[] = [{ field, operator: "in", value: batch }];
				for (const other of await raw.findMany<Row>({ model, where, limit: NO_LIMIT })) {
					if (rows.has(model, idOf(other))) continue;
					const own = rows.of(model).find((row) => isSame(row[field], other[field]));
					if (!own) continue;
					const userId = model === "user" ? idOf(own) : null;
					const message = `The tenant has another ${model} with this ${field}`;
					conflicts.push(conflict("VALUE_TAKEN", message, { userId, model, id: idOf(own) }));
				}
			}
		}
	}
	return conflicts;
}
