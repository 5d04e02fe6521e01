import type { AuthContext } from "@better-auth/core";
import { currentAdapter } from "../../database/current-adapter";
import { trustedDomainsOf } from "./config";
import { findConfigRows } from "./find-configs";

/**
 * Ends the trust in emails of a domain that the tenant does not have any more. Call it inside a
 * transaction.
 */
export async function dropTrust(
	ctx: Pick<AuthContext, "adapter">,
	tenantId: string,
	domain: string,
): Promise<void> {
	for (const row of await findConfigRows(ctx, tenantId)) {
		const domains = trustedDomainsOf(row);
		if (!domains.includes(domain)) continue;
		const rest = domains.filter((other) => other !== domain);
		await currentAdapter(ctx.adapter).update({
			model: "tenantOauthConfig",
			where: [{ field: "id", value: row.id }],
			update: { trustEmails: rest.length > 0 ? JSON.stringify(rest) : null, updatedAt: new Date() },
		});
	}
}
