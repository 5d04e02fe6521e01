import type { AuthContext } from "@better-auth/core";
import { runsInWorkers } from "../call/context/workers";
import { columnAdvice } from "../name-conflicts";
import { CORE_MODELS } from "../schema";

/**
 * Finds columns `tenantId` of the app where nothing but rows can be read: behind the adapters of Drizzle,
 * Prisma and others. Ours is never null. Users with other values than ids of tenants are only logged: they
 * cannot sign in, but the app may be about to create their tenants.
 */
export async function findForeignRows({
	adapter,
	tables,
	logger,
}: Pick<AuthContext, "adapter" | "tables" | "logger">): Promise<string[]> {
	// A later request must not wait for a query of this one.
	if (runsInWorkers()) return [];
	const problems: string[] = [];
	for (const model of CORE_MODELS.filter((name) => tables[name])) {
		const where = [{ field: "tenantId", value: null }];
		// Prisma rejects the question if its schema says that the column cannot be null.
		const rows = await adapter.findMany({ model, where, limit: 1 }).catch(() => []);
		if (rows.length === 0) continue;
		problems.push(
			`The table ${tables[model]?.modelName} has rows without a value in the column of tenantId, so it is not of tenantAuth. ${columnAdvice(model, "tenantId", "tenantAuth")}`,
		);
	}
	if (problems.length > 0) return problems;
	for (const direction of ["asc", "desc"] as const) {
		const [user] = await adapter.findMany<{ tenantId: string }>({
			model: "user",
			where: [{ field: "tenantId", operator: "gt", value: "" }],
			sortBy: { field: "tenantId", direction },
			limit: 1,
		});
		if (!user) break;
		const where = [{ field: "id", value: user.tenantId }];
		if ((await adapter.findMany({ model: "tenant", where, limit: 1 })).length > 0) continue;
		logger.error(
			`tenantAuth: users have the tenantId ${JSON.stringify(user.tenantId)}, but there is no such tenant, so they cannot sign in. If the column is your own: ${columnAdvice("user", "tenantId", "tenantAuth")}`,
		);
		break;
	}
	return [];
}
