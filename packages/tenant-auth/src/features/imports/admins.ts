import type { AuthContext } from "@better-auth/core";
import type { DBTransactionAdapter } from "@better-auth/core/db/adapter";
import { isPlatformAdminUser } from "../../call/context/acting-admin";
import { FOREIGN } from "../../call/foreign";
import type { Row } from "../../isolation/raw-adapter";
import { idOf } from "../../isolation/row-owners";
import type { ResolvedOptions } from "../../options";
import { conflict, type MoveConflict } from "./conflicts";

/**
 * An admin of the platform does not move, and neither do people who work for the app: in a tenant they would
 * lose what they may do, and be an admin of its users instead.
 */
export async function findAdminConflict(
	row: Row,
	context: Pick<AuthContext, "options">,
	options: ResolvedOptions,
	adapter: Pick<DBTransactionAdapter, "findOne">,
): Promise<MoveConflict | null> {
	const user = { ...row, id: idOf(row) };
	const ofPlugins = (context.options.plugins ?? []).flatMap(
		(plugin) => FOREIGN.get(plugin.id)?.adminsOf?.(plugin.options ?? {}) ?? [],
	);
	const isAdmin = [options, ...ofPlugins].some((rules) => isPlatformAdminUser(user, rules));
	return isAdmin || (await options.isStaff?.(user.id, { adapter }))
		? conflict("PLATFORM_ADMIN", "The user is a platform admin", { userId: user.id })
		: null;
}

export async function findAdminConflicts(
	users: readonly Row[],
	...rest: [Pick<AuthContext, "options">, ResolvedOptions, Pick<DBTransactionAdapter, "findOne">]
): Promise<MoveConflict[]> {
	const found: MoveConflict[] = [];
	for (const user of users) {
		const conflict = await findAdminConflict(user, ...rest);
		if (conflict) found.push(conflict);
	}
	return found;
}
