import type { AuthContext } from "@better-auth/core";
import { getCurrentDBAdapterAsyncLocalStorage } from "@better-auth/core/context";
import { currentAdapter } from "../../database/current-adapter";
import { isUniqueViolation } from "../../database/errors";
import { runRetried } from "../../database/write-conflicts";
import { requireIsolated } from "../../isolation/raw-adapter";
import { tenantError } from "../../tenant-error";
import { type MoveConflict, shortened } from "./conflicts";
import { importError } from "./import-error";
import type { Reading } from "./owned-rows";

interface Report {
	conflicts: readonly unknown[];
}

/** Leaves the transaction, which takes back everything. */
class RolledBack extends Error {
	constructor(readonly report: Report) {
		super("rolled back");
	}
}

/**
 * Runs a move in one transaction. If there is a conflict, everything is rolled back. A dry run is the same
 * work, and always rolled back. So it shows exactly what would happen.
 */
export async function runMove<R extends Report>(
	ctx: AuthContext,
	isDryRun: boolean,
	work: (reading: Reading) => Promise<R>,
): Promise<R> {
	await requireOwnTransaction(ctx);
	let rolledBack: R | undefined;
	const attempt = async () => {
		const report = await work(readingOf(ctx)).catch(asConflict);
		if (!isDryRun && report.conflicts.length === 0) return report;
		rolledBack = report;
		throw new RolledBack(report);
	};
	try {
		return await runRetried(ctx.adapter, attempt);
	} catch (error) {
		if (!(error instanceof RolledBack) || !rolledBack) throw error;
		return rolledBack;
	}
}

/** @throws APIError `MOVE_REFUSED` with the conflicts, if there are any */
export function requireNoConflicts(conflicts: readonly MoveConflict[]): void {
	if (conflicts.length === 0) return;
	throw importError("MOVE_REFUSED", { detail: { conflicts: shortened(conflicts) } });
}

function readingOf(ctx: AuthContext): Reading {
	return { ctx, ...requireIsolated(currentAdapter(ctx.adapter)) };
}

/** A sign-up may take an email after it was looked up. The next attempt finds the conflict. */
function asConflict(error: unknown): never {
	throw isUniqueViolation(error) ? tenantError("WRITE_CONFLICT") : error;
}

/**
 * Inside a transaction of the app, nothing could be rolled back.
 *
 * @throws APIError `TRANSACTION_REQUIRED`
 */
export async function requireOwnTransaction({ adapter }: AuthContext): Promise<void> {
	const running = (await getCurrentDBAdapterAsyncLocalStorage()).getStore();
	const hasTransactions = Boolean(adapter.options?.adapterConfig.transaction);
	if (running?.isTransactionActive || !hasTransactions) throw importError("TRANSACTION_REQUIRED");
}
