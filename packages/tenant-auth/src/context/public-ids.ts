import type { GenericEndpointContext } from "@better-auth/core";
import { runAcrossTenants } from "./current-tenant";
import { rulesOf } from "./endpoint-rules";
import { enterTenantOfToken } from "./gate";
import { headersOf } from "./presented-sessions";
import type { RequestState } from "./request-state";
import { PLATFORM_ID } from "./tenant";

/**
 * Puts a call into the tenant of the row that it names by a public id, such as that of an OAuth client. The
 * id is unique across all tenants, and as public as a tenant's id. What the call may do is decided by the
 * plugin, inside of that tenant.
 */
export async function enterTenantOfPublicId(
	ctx: GenericEndpointContext,
	state: RequestState,
): Promise<void> {
	const { publicId } = rulesOf(ctx.path);
	const value = publicId?.find({ headers: headersOf(ctx), query: ctx.query, body: ctx.body });
	const tenantId = publicId && value ? await findOwner(ctx, publicId, value) : null;
	// Without such a row, the plugin refuses the call.
	if (tenantId !== null) await enterTenantOfToken(state, tenantId);
}

async function findOwner(
	{ context: { adapter } }: GenericEndpointContext,
	{ table, field }: { table: string; field: string },
	value: string,
): Promise<string | null> {
	return runAcrossTenants(async () => {
		const where = [{ field, value }];
		const row = await adapter.findOne<{ id: unknown }>({ model: table, where, select: ["id"] });
		if (!row) return null;
		const owner = await adapter.findOne<{ tenantId: string }>({
			model: "tenantRow",
			where: [
				{ field: "model", value: table },
				{ field: "rowId", value: String(row.id) },
			],
		});
		return owner?.tenantId ?? PLATFORM_ID;
	});
}
