import type { DBTransactionAdapter } from "@better-auth/core/db/adapter";

/** More than a tenant may have. */
const MAX_DOMAINS = 1000;

type DomainRow = { host: string; verifiedAt?: Date | null };

/** The email domains that a tenant has verified. */
export async function findEmailDomains(
	database: Pick<DBTransactionAdapter, "findMany">,
	tenantId: string,
): Promise<string[]> {
	const rows = await database.findMany<DomainRow>({
		model: "tenantDomain",
		where: [
			{ field: "tenantId", value: tenantId },
			{ field: "purpose", value: "email" },
		],
		limit: MAX_DOMAINS,
	});
	return rows.filter(({ verifiedAt }) => verifiedAt).map(({ host }) => host);
}
