import type { AuthContext, GenericEndpointContext } from "@better-auth/core";
import { generateRandomString } from "better-auth/crypto";
import { findTenantRow, type TenantScope } from "../../call/context/tenant";
import { isPossibleId } from "../../call/context/tenant-id";
import { currentAdapter } from "../../database/current-adapter";
import { isUniqueViolation } from "../../database/errors";
import { requireOwner } from "../../management/access/acting-member";
import { audited, recordAuditEvent } from "../../management/audit/audit-store";
import { dropTrust } from "../../management/oauth-clients/drop-trust";
import { tenantError } from "../../tenant-error";
import { findRecords } from "./dns";
import {
	DOMAIN_MODEL,
	type DomainPurpose,
	type DomainRow,
	lookupKeyOf,
	pendingKey,
	recordValueOf,
	type TenantDomain,
	toDomains,
} from "./domain";
import { domainError } from "./domain-error";
import { findDomainRows, findVerifiedDomain } from "./find-domains";

const MAX_DOMAINS = 100;

export async function listDomains(
	{ context }: GenericEndpointContext,
	{ tenantId }: TenantScope,
): Promise<TenantDomain[]> {
	return toDomains(await findDomainRows(context, tenantId));
}

async function readDomain(
	ctx: GenericEndpointContext,
	tenant: TenantScope,
	id: string,
): Promise<TenantDomain> {
	const domain = (await listDomains(ctx, tenant)).find((other) => other.id === id);
	if (!domain) throw domainError("DOMAIN_NOT_FOUND");
	return domain;
}

async function requireDomainRow(
	{ context }: GenericEndpointContext,
	{ tenantId }: TenantScope,
	id: string,
): Promise<DomainRow> {
	const where = [
		{ field: "id", value: id },
		{ field: "tenantId", value: tenantId },
	];
	const row = isPossibleId(context.options, id)
		? await currentAdapter(context.adapter).findOne<DomainRow>({ model: DOMAIN_MODEL, where })
		: null;
	// MySQL ignores case and trailing spaces.
	if (row?.id !== id) throw domainError("DOMAIN_NOT_FOUND");
	return row;
}

/** Adds a domain that is not verified yet. Any number of tenants can add the same one. */
export async function addDomain(
	ctx: GenericEndpointContext,
	tenant: TenantScope,
	{ host, purpose }: { host: string; purpose: DomainPurpose },
): Promise<TenantDomain> {
	const { tenantId } = tenant;
	const adding = audited(
		ctx,
		async () => {
			const before = await findDomainRows(ctx.context, tenantId);
			if (before.length >= MAX_DOMAINS) throw domainError("TOO_MANY_DOMAINS");
			return currentAdapter(ctx.context.adapter).create<Omit<DomainRow, "id">, DomainRow>({
				model: DOMAIN_MODEL,
				data: {
					tenantId,
					host,
					purpose,
					lookupKey: pendingKey(),
					token: generateRandomString(32, "a-z", "A-Z", "0-9"),
					verifiedAt: null,
					checkedAt: null,
					missingSince: null,
					primarySince: null,
					discoverable: false,
					createdAt: new Date(),
				},
			});
		},
		({ id }) => ({
			action: "domain:add",
			tenantId,
			targetId: id,
			detail: { host, purpose },
		}),
	);
	const { id } = await adding.catch((error: unknown) => refuse(ctx.context, tenantId, error));
	return readDomain(ctx, tenant, id);
}

async function refuse(ctx: AuthContext, tenantId: string, error: unknown): Promise<never> {
	if (isUniqueViolation(error)) throw domainError("DOMAIN_ALREADY_ADDED");
	// The foreign key fails if the tenant was deleted meanwhile.
	if (!(await findTenantRow(ctx, "id", tenantId))) throw tenantError("TENANT_NOT_FOUND");
	throw error;
}

/**
 * Verifies a domain by its DNS record. If another tenant has verified it, the record of that tenant
 * decides: while it exists, the domain stays there. If it is gone, its tenant loses the domain.
 *
 * Only an owner can verify a login domain. Links in emails lead there, so an admin with a domain of their
 * own could otherwise reset the password of an owner.
 */
export async function verifyDomain(
	ctx: GenericEndpointContext,
	tenant: TenantScope,
	id: string,
): Promise<TenantDomain> {
	const row = await requireDomainRow(ctx, tenant, id);
	if (row.purpose === "login") requireOwner();
	const records = await findRecords(ctx.context, row.host);
	if (!records.includes(recordValueOf(row))) throw domainError("DNS_RECORD_NOT_FOUND");
	// Repeated: others may verify the same domain at the same time.
	for (let round = 0; round < 5; round += 1) {
		const holder = await findVerifiedDomain(ctx.context, row.purpose, row.host);
		const other = holder && holder.id !== row.id ? holder : null;
		if (other && records.includes(recordValueOf(other))) throw domainError("DOMAIN_TAKEN");
		const isDone = await markVerified(ctx, row, other).catch((error: unknown) => {
			if (isUniqueViolation(error)) return false;
			throw error;
		});
		if (isDone) return readDomain(ctx, tenant, id);
	}
	throw tenantError("WRITE_CONFLICT");
}

async function markVerified(
	ctx: GenericEndpointContext,
	{ id, tenantId, host, purpose, verifiedAt }: DomainRow,
	other: DomainRow | null,
): Promise<boolean> {
	const now = new Date();
	return audited(
		ctx,
		async () => {
			// The other tenant does not learn who has the domain now.
			if (other) await loseDomain(ctx.context, other, "taken-over");
			const changed = await currentAdapter(ctx.context.adapter).updateMany({
				model: DOMAIN_MODEL,
				where: [{ field: "id", value: id }],
				update: {
					lookupKey: lookupKeyOf(purpose, host),
					verifiedAt: verifiedAt ?? now,
					checkedAt: now,
					missingSince: null,
				},
			});
			if (changed === 0) throw domainError("DOMAIN_NOT_FOUND");
			return true;
		},
		() => ({ action: "domain:verify", tenantId, targetId: id, detail: { host, purpose } }),
	);
}

/**
 * Makes a verified domain one that is only added, and records it. Call it inside a transaction.
 *
 * @returns `false` if it is not verified any more, and nothing was changed
 */
export async function loseDomain(
	context: AuthContext,
	{ id, tenantId, host, purpose, lookupKey }: DomainRow,
	reason: "taken-over" | "record-gone",
): Promise<boolean> {
	const changed = await currentAdapter(context.adapter).updateMany({
		model: DOMAIN_MODEL,
		where: [
			{ field: "id", value: id },
			{ field: "lookupKey", value: lookupKey },
		],
		update: {
			lookupKey: pendingKey(),
			verifiedAt: null,
			missingSince: null,
			primarySince: null,
			discoverable: false,
		},
	});
	if (changed === 0) return false;
	if (purpose === "email") await dropTrust(context, tenantId, host);
	// The call is one of another tenant, or there is none. So nothing has read the tenant.
	const tenant = await findTenantRow(context, "id", tenantId);
	await recordAuditEvent(
		{ context },
		{
			action: "domain:lost",
			tenantId,
			targetId: id,
			detail: { host, purpose, reason },
			isAnonymous: true,
			...(tenant ? { tenant } : {}),
		},
		{ kind: "server", id: null },
	);
	return true;
}

export interface DomainChange {
	primary?: boolean | undefined;
	discoverable?: boolean | undefined;
}

export async function updateDomain(
	ctx: GenericEndpointContext,
	tenant: TenantScope,
	id: string,
	{ primary, discoverable }: DomainChange,
): Promise<TenantDomain> {
	await audited(
		ctx,
		async () => {
			const row = await requireDomainRow(ctx, tenant, id);
			requireFor(row, "login", primary !== undefined, "primary");
			requireFor(row, "email", discoverable !== undefined, "discoverable");
			if (row.purpose === "login") requireOwner();
			if (!row.verifiedAt) throw domainError("DOMAIN_NOT_VERIFIED");
			await currentAdapter(ctx.context.adapter).updateMany({
				model: DOMAIN_MODEL,
				// The domain may be lost meanwhile.
				where: [
					{ field: "id", value: id },
					{ field: "lookupKey", value: row.lookupKey },
				],
				update: {
					...(primary ? { primarySince: new Date() } : {}),
					...(discoverable === undefined ? {} : { discoverable }),
				},
			});
			return row;
		},
		({ host, purpose }) => ({
			action: "domain:update",
			tenantId: tenant.tenantId,
			targetId: id,
			detail: {
				host,
				purpose,
				...(primary ? { primary } : {}),
				...(discoverable === undefined ? {} : { discoverable }),
			},
		}),
	);
	return readDomain(ctx, tenant, id);
}

function requireFor({ purpose }: DomainRow, wanted: DomainPurpose, isSet: boolean, field: string) {
	if (!isSet || purpose === wanted) return;
	throw domainError("INVALID_DOMAIN", { message: `${field} is for ${wanted} domains only` });
}

export async function removeDomain(
	ctx: GenericEndpointContext,
	tenant: TenantScope,
	id: string,
): Promise<void> {
	const { tenantId } = tenant;
	await audited(
		ctx,
		async () => {
			const row = await requireDomainRow(ctx, tenant, id);
			const where = [{ field: "id", value: id }];
			const deleted = await currentAdapter(ctx.context.adapter).deleteMany({
				model: DOMAIN_MODEL,
				where,
			});
			if (deleted === 0) throw domainError("DOMAIN_NOT_FOUND");
			if (row.purpose === "email" && row.verifiedAt) {
				await dropTrust(ctx.context, tenantId, row.host);
			}
			return row;
		},
		({ host, purpose }) => ({
			action: "domain:remove",
			tenantId,
			targetId: id,
			detail: { host, purpose },
		}),
	);
}
