import type { AuthContext } from "@better-auth/core";
import { getCurrentAdapter } from "@better-auth/core/context";

export const TENANT_MODEL = "tenant";

/** A tenant as the database stores it. */
export interface TenantRow {
	id: string;
	name: string;
	slug: string;
	/** A JSON object as text. */
	metadata: string | null;
	createdAt: Date;
	updatedAt: Date;
	/** Set while the tenant is being deleted. */
	erasingSince: Date | null;
	/** Set while the tenant is suspended. */
	suspendedAt: Date | null;
}

export async function findTenantRow(
	ctx: Pick<AuthContext, "adapter">,
	field: "id" | "slug",
	value: string,
): Promise<TenantRow | null> {
	// Inside a transaction the current adapter is the transaction's: another connection would wait.
	const database = await getCurrentAdapter(ctx.adapter);
	const where = [{ field, value }];
	const row = await database.findOne<TenantRow>({ model: TENANT_MODEL, where });
	// MySQL ignores case and trailing spaces. The check who may manage used the text as it was sent.
	return row?.[field] === value ? row : null;
}
