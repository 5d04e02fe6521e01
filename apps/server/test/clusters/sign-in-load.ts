import type { Kysely } from "kysely";
import { newTenant, newUser, type RunningService } from "../running-service";

export type Outcome = {
	acknowledged: number;
	/** Acknowledged, and not in the database afterwards. */
	lost: number;
	/** Emails that two users have. */
	duplicates: number;
	/** Users without an account, and accounts without a user. */
	halfMade: number;
	/** How many responses had which status. */
	statuses: Record<string, number>;
	/** Responses 503 without Retry-After. */
	withoutRetryAfter: number;
	longestOutageMs: number;
	/** From when the stores work again until the next success. */
	backAfterMs: number;
	/** Requests that failed in that time. */
	failuresUntilBack: number;
};

type Tables = {
	user: { id: string; email: string };
	account: { userId: string };
};

const WORKERS = 4;
/** Ends a run in which nothing works any more. */
const MAX_REQUESTS = 5000;
const PAUSE_MS = 20;
const PAUSE_AFTER_FAILURE_MS = 100;
/** As many as all workers send in one second. A test of the time itself would fail on a busy machine. */
export const FAILURES_IN_A_SECOND = WORKERS * (1000 / PAUSE_AFTER_FAILURE_MS);
/** Sign-ups that must succeed before the failure, and after it. */
const ENOUGH = 30;

/**
 * Signs people up and in on all servers while something fails.
 *
 * @param fail runs when the load has started, and returns when the stores should work again
 */
export async function loadDuring(
	servers: [RunningService, ...RunningService[]],
	fail: () => Promise<void>,
): Promise<Outcome> {
	const tenantId = await newTenant(servers[0].post);
	const headers = { "x-tenant-id": tenantId };
	const acknowledged: string[] = [];
	const statuses: Record<string, number> = {};
	let [requests, withoutRetryAfter, longestOutageMs, failuresUntilBack] = [0, 0, 0, 0];
	let lastSuccess = performance.now();
	let goal = Number.POSITIVE_INFINITY;
	let worksAgainAt: number | null = null;
	let backAfterMs: number | null = null;

	async function send(path: string, email: string): Promise<boolean> {
		const server = servers[requests++ % servers.length] ?? servers[0];
		const { status, headers: found } = await server.post(path, newUser(email), headers);
		statuses[status] = (statuses[status] ?? 0) + 1;
		if (status === 503 && !found.has("retry-after")) withoutRetryAfter += 1;
		if (status !== 200) {
			if (worksAgainAt !== null && backAfterMs === null) failuresUntilBack += 1;
			return false;
		}
		const now = performance.now();
		longestOutageMs = Math.max(longestOutageMs, Math.round(now - lastSuccess));
		lastSuccess = now;
		if (worksAgainAt !== null) backAfterMs ??= Math.round(now - worksAgainAt);
		return true;
	}

	async function work(worker: number): Promise<void> {
		for (let i = 0; acknowledged.length < goal && requests < MAX_REQUESTS; i += 1) {
			const email = `user-${worker}-${i}@example.com`;
			const isSignedUp = await send("/tenant/sign-up/email", email);
			if (isSignedUp) {
				acknowledged.push(email);
				await send("/tenant/sign-in/email", email);
			}
			await sleep(isSignedUp ? PAUSE_MS : PAUSE_AFTER_FAILURE_MS);
		}
	}

	async function failOnce(): Promise<void> {
		while (acknowledged.length < ENOUGH && requests < MAX_REQUESTS) await sleep(PAUSE_MS);
		await fail();
		worksAgainAt = performance.now();
		goal = acknowledged.length + ENOUGH;
	}

	await Promise.all([failOnce(), ...Array.from({ length: WORKERS }, (_, index) => work(index))]);
	const rows = await readRows(servers[0]);
	return {
		acknowledged: acknowledged.length,
		lost: acknowledged.filter((email) => !rows.emails.includes(email)).length,
		duplicates: rows.emails.length - new Set(rows.emails).size,
		halfMade: rows.halfMade,
		statuses,
		withoutRetryAfter,
		longestOutageMs,
		backAfterMs: backAfterMs ?? Number.POSITIVE_INFINITY,
		failuresUntilBack,
	};
}

async function readRows({ backend }: RunningService) {
	const db = backend.database.db as Kysely<Tables>;
	const users = await db.selectFrom("user").select(["id", "email"]).execute();
	const accounts = await db.selectFrom("account").select("userId").execute();
	const ids = new Set(users.map(({ id }) => id));
	const owners = new Set(accounts.map(({ userId }) => userId));
	return {
		emails: users.map(({ email }) => email),
		halfMade:
			users.filter(({ id }) => !owners.has(id)).length +
			accounts.filter(({ userId }) => !ids.has(userId)).length,
	};
}

const sleep = (milliseconds: number) => new Promise((resume) => setTimeout(resume, milliseconds));
