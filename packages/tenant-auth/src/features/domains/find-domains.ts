import type { AuthContext } from "@better-auth/core";
import type { Where } from "@better-auth/core/db/adapter";
import { findTenantRow, TENANT_MODEL, type TenantRow } from "../../call/context/tenant";
import { unusedId } from "../../call/context/tenant-id";
import { currentAdapter } from "../../database/current-adapter";
import { joinsOwnTables } from "../../database/joins";
import { rawAdapterOf } from "../../isolation/raw-adapter";
import {
	DOMAIN_MODEL,
	type DomainPurpose,
	type DomainRow,
	findPrimary,
	lookupKeyOf,
} from "./domain";
import { findEmailDomain } from "./host-name";

/** More than a tenant may have. The adapter's default page of 100 must not cut the list. */
const MAX_DOMAINS = 1000;

type ReadContext = Pick<AuthContext, "adapter">;

/** All domains of a tenant, oldest first. */
export async function findDomainRows(
	ctx: ReadContext,
	tenantId: string,
	purpose?: DomainPurpose,
): Promise<DomainRow[]> {
	const where: Where[] = [{ field: "tenantId", value: tenantId }];
	if (purpose) where.push({ field: "purpose", value: purpose });
	return currentAdapter(ctx.adapter).findMany<DomainRow>({
		model: DOMAIN_MODEL,
		where,
		sortBy: { field: "createdAt", direction: "asc" },
		limit: MAX_DOMAINS,
	});
}

/** The host names that a tenant has verified for a purpose. */
export async function listVerifiedDomains(
	ctx: ReadContext,
	tenantId: string,
	purpose: DomainPurpose,
): Promise<string[]> {
	const rows = await findDomainRows(ctx, tenantId, purpose);
	return rows.filter(({ verifiedAt }) => verifiedAt).map(({ host }) => host);
}

/** The host at which users of a tenant sign in, if the tenant has verified one. */
export async function findLoginHost(ctx: ReadContext, tenantId: string): Promise<string | null> {
	return findPrimary(await findDomainRows(ctx, tenantId, "login"))?.host ?? null;
}

/** The domain that one tenant has verified. */
export async function findVerifiedDomain(
	ctx: ReadContext,
	purpose: DomainPurpose,
	host: string,
): Promise<DomainRow | null> {
	const lookupKey = lookupKeyOf(purpose, host);
	const row = await currentAdapter(ctx.adapter).findOne<DomainRow>({
		model: DOMAIN_MODEL,
		where: [{ field: "lookupKey", value: lookupKey }],
	});
	// MySQL ignores case and trailing spaces.
	return row?.lookupKey === lookupKey ? row : null;
}

/** A verified domain, with its tenant in any state. */
interface FoundDomain {
	domain: DomainRow;
	tenant: TenantRow;
}

/**
 * Reads a verified domain together with its tenant, by one statement where the database allows it.
 * Nothing is cached: a change applies at once, on every server.
 */
export async function findDomainWithTenant(
	ctx: AuthContext,
	purpose: DomainPurpose,
	host: string,
): Promise<FoundDomain | null> {
	if (joinsOwnTables(ctx)) return joinTenant(ctx, lookupKeyOf(purpose, host));
	const domain = await findVerifiedDomain(ctx, purpose, host);
	// Also asked for if there is no domain: the time must not reveal whether there is one.
	const tenantId = domain?.tenantId ?? unusedId(ctx.options);
	const tenant = await findTenantRow(ctx, "id", tenantId);
	return domain && tenant && { domain, tenant };
}

/** The tenant that has verified a login domain, in any state. */
export async function findTenantOfHost(ctx: AuthContext, host: string): Promise<TenantRow | null> {
	return (await findDomainWithTenant(ctx, "login", host))?.tenant ?? null;
}

/** The tenant that has verified a domain for its emails, in any state. */
export async function findTenantOfEmailDomain(
	ctx: AuthContext,
	domain: string,
): Promise<TenantRow | null> {
	// In ASCII, as domains are stored.
	const host = findEmailDomain(domain);
	return host === null ? null : ((await findDomainWithTenant(ctx, "email", host))?.tenant ?? null);
}

async function joinTenant(ctx: ReadContext, lookupKey: string): Promise<FoundDomain | null> {
	const database = rawAdapterOf(currentAdapter(ctx.adapter));
	const found = await database.findOne<DomainRow & { tenant: TenantRow | null }>({
		model: DOMAIN_MODEL,
		where: [{ field: "lookupKey", value: lookupKey }],
		join: { [TENANT_MODEL]: true },
	});
	// MySQL ignores case and trailing spaces.
	if (found?.lookupKey !== lookupKey) return null;
	const { tenant, ...domain } = found;
	return tenant && { domain, tenant };
}
