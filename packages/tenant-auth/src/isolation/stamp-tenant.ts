import type { BetterAuthOptions } from "@better-auth/core";
import { currentScope } from "../context/current-scope";
import { ACROSS, PLATFORM_ID } from "../context/scope";

type Hooks = NonNullable<BetterAuthOptions["databaseHooks"]>;

/**
 * Writes the tenant into sessions and verifications as they are made. The scoped adapter does so
 * for what goes into the database; with a secondary storage these two may go only there.
 */
export const stampTenant: Hooks = {
	session: { create: { before: stamp } },
	verification: { create: { before: stamp } },
};

async function stamp() {
	const scope = await currentScope();
	if (scope === ACROSS) return;
	return { data: { tenantId: scope.tenantId === PLATFORM_ID ? null : scope.tenantId } };
}
