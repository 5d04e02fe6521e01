import type { AuthContext } from "@better-auth/core";
import { currentScope } from "../context/current-scope";
import { findState } from "../context/current-state";
import type { TenantInstance } from "../context/request-state";
import { ALL_TENANTS, tenantIdOf } from "../context/tenant";
import { compileJoin } from "../database/compiled-reads";
import { noteUser } from "./known-users";

type InternalAdapter = AuthContext["internalAdapter"];
type FoundUser = NonNullable<Awaited<ReturnType<InternalAdapter["findUserByEmail"]>>>;

/**
 * Lets core find a user by email and the user's accounts with one statement. Every sign-in does. The
 * tenant of the statement is the current scope's, as in the isolated adapter.
 */
export function withUsersByEmail(
	ctx: AuthContext,
	users: InternalAdapter,
	instance: TenantInstance,
): InternalAdapter {
	const join = { model: "account", field: "userId", from: "id" };
	const withAccounts = compileJoin(ctx, { model: "user", by: ["email", "tenantId"], join });
	return {
		...users,
		findUserByEmail: async (email, options) => {
			const find = options?.includeAccounts ? withAccounts() : null;
			const scope = find && (await currentScope(instance));
			// The isolated adapter decides in all other cases.
			if (!scope || scope === ALL_TENANTS || findState(instance)?.requiresRow) {
				return users.findUserByEmail(email, options);
			}
			const found = await find(email.toLowerCase(), scope.tenantId);
			const [user] = found[0] ?? [];
			if (!user) return null;
			noteUser(user);
			const joined = found.flatMap(([, account]) => (account ? [account] : []));
			const own = joined.filter((account) => tenantIdOf(account) === scope.tenantId);
			return { user, accounts: own } as unknown as FoundUser;
		},
	};
}
