import type { AuthContext } from "@better-auth/core";
import type { Where } from "@better-auth/core/db/adapter";
import type { AnyAuth } from "../../call/context/current-state";
import { createThrottle } from "../../database/throttle";
import { runRetried } from "../../database/write-conflicts";
import { findRecords } from "./dns";
import { DOMAIN_MODEL, type DomainRow, recordValueOf } from "./domain";
import { domainSettings } from "./options";
import { loseDomain } from "./store";

/** How many verified domains were looked up, and what came out. */
export interface RecheckReport {
	checked: number;
	/** Their record is gone. They stay verified until `graceDays` are over. */
	missing: number;
	/** Their record has been gone for too long, so they are not verified any more. */
	lost: number;
	/** DNS did not answer, or somebody changed the domain meanwhile. Nothing was changed. */
	failed: number;
}

export interface RecheckOptions {
	/** Ends the work after the running lookups, without an error. */
	signal?: AbortSignal;
}

const BATCH = 100;
/** How many names are looked up at the same time. DNS may take seconds for each. */
const AT_ONCE = 10;
const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Looks up the DNS record of every verified domain. A domain whose record is gone for longer than
 * `graceDays` is not verified any more: its former owner may have sold it. Run it once a day.
 *
 * @example
 * ```ts
 * const { lost } = await recheckDomains(auth);
 * ```
 */
export async function recheckDomains(
	auth: AnyAuth,
	{ signal }: RecheckOptions = {},
): Promise<RecheckReport> {
	const ctx = (await auth.$context) as AuthContext;
	const { graceDays } = domainSettings(ctx);
	const throttle = createThrottle();
	const report: RecheckReport = { checked: 0, missing: 0, lost: 0, failed: 0 };
	let after: Where[] = [];
	for (;;) {
		const rows = await ctx.adapter.findMany<DomainRow>({
			model: DOMAIN_MODEL,
			where: after,
			sortBy: { field: "id", direction: "asc" },
			limit: BATCH,
		});
		const verified = rows.filter(({ verifiedAt }) => verifiedAt);
		for (let start = 0; start < verified.length && !signal?.aborted; start += AT_ONCE) {
			const some = verified.slice(start, start + AT_ONCE);
			for (const result of await Promise.all(some.map((row) => recheck(ctx, row, graceDays)))) {
				report.checked += 1;
				if (result !== "found") report[result] += 1;
			}
			await throttle();
		}
		const last = rows.at(-1);
		if (!last || rows.length < BATCH || signal?.aborted) return report;
		after = [{ field: "id", operator: "gt", value: last.id }];
	}
}

async function recheck(
	ctx: AuthContext,
	row: DomainRow,
	graceDays: number,
): Promise<"found" | "missing" | "lost" | "failed"> {
	const records = await findRecords(ctx, row.host).catch(() => null);
	if (!records) return "failed";
	const now = new Date();
	if (records.includes(recordValueOf(row))) {
		await note(ctx, row, { checkedAt: now, missingSince: null });
		return "found";
	}
	const since = row.missingSince ?? now;
	if (row.missingSince && now.getTime() - since.getTime() >= graceDays * DAY_MS) {
		const isLost = await runRetried(ctx.adapter, () => loseDomain(ctx, row, "record-gone"));
		return isLost ? "lost" : "failed";
	}
	await note(ctx, row, { missingSince: since });
	return "missing";
}

/** Only while it is the same verified domain. */
async function note(
	{ adapter }: AuthContext,
	{ id, lookupKey }: DomainRow,
	update: Pick<DomainRow, "missingSince"> & { checkedAt?: Date },
): Promise<void> {
	const where = [
		{ field: "id", value: id },
		{ field: "lookupKey", value: lookupKey },
	];
	await adapter.updateMany({ model: DOMAIN_MODEL, where, update });
}
