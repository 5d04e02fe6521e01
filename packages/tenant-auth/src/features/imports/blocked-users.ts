import type { AuthContext } from "@better-auth/core";
import { idOf } from "../../isolation/row-owners";
import type { MoveConflict } from "./conflicts";
import { type OwnedRows, textOf } from "./owned-rows";
import { findReferences } from "./references";

/**
 * The users of a move who have to stay because of its conflicts. A conflict about a row that is not the
 * user's own, such as an organization, keeps everybody to whom the row belongs.
 */
export function findBlockedUsers(
	ctx: Pick<AuthContext, "tables">,
	userIds: readonly string[],
	{ rows, conflicts }: { rows: OwnedRows; conflicts: readonly MoveConflict[] },
): Set<string> {
	const moving = new Set(userIds);
	const groupOf = groupRows(ctx, rows);
	const usersByGroup = new Map<string, string[]>();
	for (const userId of rows.ids("user")) {
		const group = groupOf("user", userId);
		usersByGroup.set(group, [...(usersByGroup.get(group) ?? []), userId]);
	}
	return new Set(
		conflicts.flatMap(({ userId, model, id }) => {
			if (userId !== null && moving.has(userId)) return [userId];
			if (model === null || id === null) return [];
			return usersByGroup.get(groupOf(model, id)) ?? [];
		}),
	);
}

/** Rows that are connected by references get the same group. */
function groupRows({ tables }: Pick<AuthContext, "tables">, rows: OwnedRows) {
	const groups = new Map<string, string>();
	const keyOf = (model: string, id: string) => JSON.stringify([model, id]);
	const find = (key: string): string => {
		let found = key;
		for (let next = groups.get(found); next !== undefined; next = groups.get(found)) found = next;
		// Shortens the way for the next one.
		if (found !== key) groups.set(key, found);
		return found;
	};
	for (const { model, name, target } of findReferences(tables)) {
		const targets = new Map(rows.of(target.model).map((row) => [textOf(row[target.name]), row]));
		for (const row of rows.of(model)) {
			const value = textOf(row[name]);
			const referenced = value === null ? undefined : targets.get(value);
			if (!referenced) continue;
			const [one, other] = [
				find(keyOf(model, idOf(row))),
				find(keyOf(target.model, idOf(referenced))),
			];
			if (one !== other) groups.set(one, other);
		}
	}
	return (model: string, id: string) => find(keyOf(model, id));
}
