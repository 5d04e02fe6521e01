import type { AuthContext } from "better-auth";
import * as z from "zod";
import { PROVIDER_ID } from "../saml/service-provider";

type StoreContext = Pick<AuthContext, "adapter" | "hasPlugin">;

/** More than a tenant may have. */
const MAX_CONFIGS = 1000;

/**
 * The identity providers of a tenant for emails of a domain: those that the tenant trusts with this domain
 * (`trustEmails`), and SAML, which admits all email domains that the tenant has verified.
 *
 * @param domain in lowercase and in ASCII
 */
export async function findDomainProviders(
	ctx: StoreContext,
	tenantId: string,
	domain: string,
): Promise<string[]> {
	const trusted = await findTrustedProviders(ctx, tenantId, domain);
	return (await hasSamlFor(ctx, tenantId, domain)) ? [PROVIDER_ID, ...trusted] : trusted;
}

type ConfigRow = { providerId: string; trustEmails?: string | null; enabled: boolean };

const domains = z.array(z.string()).catch([]);

/** Somebody may have changed the row by hand. Then it has no domains. */
function domainsIn(trustEmails: string | null | undefined): string[] {
	try {
		return domains.parse(JSON.parse(trustEmails || "[]"));
	} catch {
		return [];
	}
}

async function findTrustedProviders(
	{ adapter }: StoreContext,
	tenantId: string,
	domain: string,
): Promise<string[]> {
	const rows = await adapter.findMany<ConfigRow>({
		model: "tenantOauthConfig",
		where: [{ field: "tenantId", value: tenantId }],
		sortBy: { field: "createdAt", direction: "asc" },
		limit: MAX_CONFIGS,
	});
	return rows
		.filter(({ enabled }) => enabled)
		.filter(({ trustEmails }) => domainsIn(trustEmails).includes(domain))
		.map(({ providerId }) => providerId);
}

type DomainRow = { host: string; verifiedAt?: Date | null };

async function hasSamlFor(ctx: StoreContext, tenantId: string, domain: string): Promise<boolean> {
	if (!ctx.hasPlugin("sso")) return false;
	const { adapter } = ctx;
	const row = await adapter.findOne<DomainRow>({
		model: "tenantDomain",
		where: [
			{ field: "tenantId", value: tenantId },
			{ field: "purpose", value: "email" },
			{ field: "host", value: domain },
		],
	});
	if (!row?.verifiedAt) return false;
	const where = [{ field: "providerId", value: PROVIDER_ID }];
	return (await adapter.count({ model: "ssoProvider", where })) > 0;
}
