import { setImmediate } from "node:timers/promises";
import type { DBAdapter } from "@better-auth/core/db/adapter";
import { runAcrossTenants } from "better-auth-tenant";
import type { CertificateState } from "../monitoring/metrics";
import { listProviderOwners } from "./owners";
import {
	type MetadataLoad,
	type ProviderRow,
	readSavedMetadata,
	type StoredProvider,
	toProvider,
} from "./provider-store";

export const CERTIFICATE_WARNING_DAYS = 30;
const DAY_MS = 24 * 60 * 60_000;

export type InspectedProvider = {
	tenantId: string;
	slug: string;
	state: CertificateState;
	/** When the last certificate ends; `null` if what is saved cannot be read. */
	expiresAt: Date | null;
	metadataUrl: string | null;
	/** Why the metadata could not be loaded from its URL last time. */
	problem: MetadataLoad["problem"];
};

type TenantRow = { id: string; slug: string; suspendedAt: Date | null };

/** The identity providers of all tenants that are not suspended. One that cannot be read stops nothing. */
export async function* inspectProviders(
	adapter: Pick<DBAdapter, "findMany">,
): AsyncGenerator<InspectedProvider> {
	const findByIds = <Row extends { id: string }>(model: string, ids: string[]) =>
		runAcrossTenants(() =>
			adapter.findMany<Row>({
				model,
				where: [{ field: "id", operator: "in", value: ids }],
				limit: ids.length,
			}),
		).then((rows) => new Map(rows.map((row) => [row.id, row])));
	for await (const owners of listProviderOwners(adapter)) {
		if (owners.length === 0) return;
		const tenants = await findByIds<TenantRow>(
			"tenant",
			owners.map(({ tenantId }) => tenantId),
		);
		const rows = await findByIds<ProviderRow>(
			"ssoProvider",
			owners.map(({ rowId }) => rowId),
		);
		for (const { tenantId, rowId } of owners) {
			const [tenant, row] = [tenants.get(tenantId), rows.get(rowId)];
			// Removed meanwhile, or nobody can sign in there.
			if (!tenant || tenant.suspendedAt || !row) continue;
			// Requests come first: to parse thousands of rows takes a while.
			await setImmediate();
			yield { tenantId, slug: tenant.slug, ...inspect(row) };
		}
	}
}

function inspect(row: ProviderRow): Omit<InspectedProvider, "tenantId" | "slug"> {
	try {
		const stored = toProvider(row);
		const expiresAt = findEnd(stored);
		const { metadataUrl, load } = stored;
		return { state: stateOf(expiresAt), expiresAt, metadataUrl, problem: load?.problem ?? null };
	} catch {
		return { state: "unreadable", expiresAt: null, metadataUrl: null, problem: null };
	}
}

/** The end of the last certificate is the end of all sign-ins. */
const findEnd = (stored: StoredProvider): Date =>
	new Date(
		Math.max(...readSavedMetadata(stored).certificates.map(({ expiresAt }) => expiresAt.getTime())),
	);

function stateOf(expiresAt: Date): CertificateState {
	const left = expiresAt.getTime() - Date.now();
	if (left <= 0) return "expired";
	return left < CERTIFICATE_WARNING_DAYS * DAY_MS ? "expiring" : "ok";
}

type CertificateCounts = Record<CertificateState, number>;

const HOUR_MS = 60 * 60_000;

/** How many tenants are in which state. It reads all identity providers, so it does so once an hour. */
export function certificateCounts(
	adapter: Pick<DBAdapter, "findMany">,
): () => Promise<CertificateCounts> {
	let counted: { since: number; counts: Promise<CertificateCounts> } | null = null;
	return () => {
		if (counted && Date.now() - counted.since < HOUR_MS) return counted.counts;
		const counts = countStates(adapter);
		counted = { since: Date.now(), counts };
		counts.catch(() => {
			counted = null;
		});
		return counts;
	};
}

async function countStates(adapter: Pick<DBAdapter, "findMany">): Promise<CertificateCounts> {
	const counts = { ok: 0, expiring: 0, expired: 0, unreadable: 0 };
	for await (const { state } of inspectProviders(adapter)) counts[state] += 1;
	return counts;
}
