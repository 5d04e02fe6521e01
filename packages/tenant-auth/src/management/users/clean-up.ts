import type { AuthContext } from "@better-auth/core";
import type { Where } from "@better-auth/core/db/adapter";
import { type AnyAuth, acrossTenants, requireInstance } from "../../call/context/current-state";
import { EXPIRING_TABLES } from "../../call/foreign";
import { createThrottle } from "../../database/throttle";
import { walkById } from "../../database/walk-by-id";
import { idOf, withIds } from "../../isolation/row-owners";
import { keepsSessionsInDatabase, keepsVerificationsInDatabase } from "../../isolation/storage";
import { pruneAuditEvents } from "../audit/prune-audit-events";

/** How many rows were deleted. */
export interface CleanUpReport {
	sessions: number;
	verifications: number;
	/** Of an OAuth provider: access tokens, refresh tokens, device codes and used client assertions. */
	oauthTokens: number;
	auditEvents: number;
	/** Of other plugins. */
	[name: string]: number;
}

const BATCH = 250;

export interface CleanUpOptions {
	/** Ends the work after the running batch, without an error. The next run continues. */
	signal?: AbortSignal;
}

/**
 * Deletes what has expired, in all tenants and on the platform: sessions, verifications (such as the
 * tokens of email links and of social flows), tokens and device codes of an OAuth provider, audit events
 * that are older than `audit.retentionDays`, and what other plugins name in their `tenant` part, such as
 * invitations, links, old sign-ins and finished deliveries of webhooks. Run it once a day.
 *
 * Better Auth deletes an expired session when its cookie comes once more, so sessions of people who do
 * not come back stay. It deletes no token of an OAuth provider by itself. Rows are deleted in small batches
 * with pauses, and no hooks are called. It reads all sessions and tokens by their id: an index of their
 * expiry would slow down every sign-in.
 *
 * @example
 * ```ts
 * const { sessions } = await cleanUp(auth);
 * ```
 */
export async function cleanUp(
	auth: AnyAuth,
	{ signal }: CleanUpOptions = {},
): Promise<CleanUpReport> {
	const ctx = (await auth.$context) as AuthContext;
	const isKept = ctx.options.session?.preserveSessionInDatabase === true;
	const hasSessions = keepsSessionsInDatabase(ctx) && !isKept;
	return {
		sessions: hasSessions ? await deleteExpired(ctx, "session", signal) : 0,
		verifications: keepsVerificationsInDatabase(ctx)
			? await deleteExpired(ctx, "verification", signal)
			: 0,
		oauthTokens: await deleteExpiredTokens(ctx, signal),
		auditEvents:
			requireInstance(ctx).options.audit?.retentionDays === undefined
				? 0
				: await pruneAuditEvents(auth, { signal }),
		...(await cleanUpFeatures(ctx, signal)),
	};
}

async function cleanUpFeatures(ctx: AuthContext, signal: AbortSignal | undefined) {
	const report: Record<string, number> = {};
	for (const [name, cleanUp] of requireInstance(ctx).features.cleanUps) {
		report[name] = signal?.aborted ? 0 : await cleanUp(ctx, signal);
	}
	return report;
}

async function deleteExpiredTokens(ctx: AuthContext, signal: AbortSignal | undefined) {
	let total = 0;
	for (const model of EXPIRING_TABLES.filter((model) => model in ctx.tables)) {
		total += await deleteExpired(ctx, model, signal);
	}
	return total;
}

/** Deletes the rows of a table whose `expiresAt` has passed, in all tenants. */
export function deleteExpired(
	ctx: AuthContext,
	model: string,
	signal: AbortSignal | undefined,
): Promise<number> {
	const now = new Date();
	const throttle = createThrottle();
	return acrossTenants(async () => {
		let total = 0;
		let expired: string[] = [];
		const flush = async () => {
			// A session may be renewed meanwhile.
			const isExpired: Where = { field: "expiresAt", operator: "lt", value: now };
			const where = [withIds(expired), isExpired];
			if (expired.length > 0) total += await ctx.adapter.deleteMany({ model, where });
			expired = [];
			await throttle();
		};
		for await (const row of walkById<{ id: string; expiresAt: Date }>(ctx, model, BATCH)) {
			if (signal?.aborted) break;
			if (row.expiresAt < now) expired.push(idOf(row));
			if (expired.length === BATCH) await flush();
		}
		await flush();
		return total;
	});
}
