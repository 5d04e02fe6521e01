import { setTimeout as sleep } from "node:timers/promises";
import { cleanUp } from "better-auth-tenant";
import { recheckDomains } from "better-auth-tenant/domains";
import { deliverWebhooks } from "better-auth-tenant/webhooks";
import type { Backend } from "../auth";
import { type LastRun, listLastRuns, saveLastRun } from "../database/job-runs";
import { type JobLock, LOCK_MS, lockJob } from "../database/job-schedule";
import { StreamFailure } from "../event-stream/send";
import type { JobName, Metrics } from "../monitoring/metrics";
import type { Settings } from "../settings/settings";
import { refreshAllMetadata } from "./saml-metadata";

const SECOND_MS = 1000;
const HOUR_MS = 60 * 60 * SECOND_MS;

/** How often a server looks whether work that servers share is due. */
const CHECK_EVERY_MS = 60 * SECOND_MS;
/** When work that failed is tried again, at the latest. */
const RETRY_MS = 10 * 60 * SECOND_MS;
/** How long a stopping server waits for running work. A delivery to a webhook may take ten seconds. */
const CLOSE_TIMEOUT_MS = 5 * SECOND_MS;

type Report = Record<string, number>;

export type Job = {
	name: JobName;
	/** `0` means never. */
	everyMs: number;
	/** Whether one of several servers does it. Otherwise each does a part. */
	isLocked: boolean;
	/** How long a process that dies keeps the lock. Default: {@link LOCK_MS} */
	lockMs?: number;
	/** When work that keeps failing is tried again, at the latest. Default: {@link RETRY_MS} */
	maxRetryMs?: number;
	/** Without work, nobody takes the lock, and the last run stays the last one that did something. */
	hasWork?: () => Promise<boolean>;
	run: (signal: AbortSignal) => Promise<Report>;
};

type JobState = {
	name: JobName;
	/** `0` means never. */
	everySeconds: number;
	/** `null` if it was never done, or if each server does a part. */
	lastRun: LastRun | null;
};

export type Jobs = {
	/** Starts to do the work at its times. */
	start: () => void;
	/**
	 * Does a job now, whether it is due or not.
	 *
	 * @returns `null` if another process is doing it
	 */
	run: (name: JobName) => Promise<Report | null>;
	/** What is done how often, and how it ended last time. */
	list: () => Promise<JobState[]>;
	/** Starts nothing more, and waits a few seconds for what is running. */
	close: () => Promise<void>;
};

type Parts = Pick<Backend, "auth" | "database" | "log"> & {
	metrics: Pick<Metrics, "countJob" | "countDeliveries">;
};

/**
 * Clean-up, DNS records of domains, metadata of SAML identity providers, and events for webhooks.
 *
 * @param more other jobs
 */
export function createJobs(
	parts: Parts,
	{ intervals, saml }: Pick<Settings, "intervals" | "saml">,
	more: Job[] = [],
): Jobs {
	const { auth, database, log, metrics } = parts;
	const samlMetadata: Job = {
		name: "saml-metadata",
		everyMs: intervals.samlMetadataHours * HOUR_MS,
		isLocked: true,
		run: async (signal) => ({ ...(await refreshAllMetadata(auth, { signal, log })) }),
	};
	const jobs: Job[] = [
		{
			name: "clean-up",
			everyMs: intervals.cleanUpHours * HOUR_MS,
			isLocked: true,
			run: async (signal) => ({ ...(await cleanUp(auth, { signal })) }),
		},
		{
			name: "domain-check",
			everyMs: intervals.domainCheckHours * HOUR_MS,
			isLocked: true,
			run: async (signal) => ({ ...(await recheckDomains(auth, { signal })) }),
		},
		...(saml ? [samlMetadata] : []),
		{
			name: "webhooks",
			everyMs: intervals.webhookSeconds * SECOND_MS,
			// Each delivery belongs to the server that takes it first.
			isLocked: false,
			run: async (signal) => {
				const report = await deliverWebhooks(auth, { signal });
				metrics.countDeliveries(report);
				return { ...report };
			},
		},
		...more,
	];
	const stopping = new AbortController();
	const { signal } = stopping;
	const running = new Set<Promise<unknown>>();
	/** How often each has failed since it last succeeded. */
	const failing = new Map<JobName, number>();

	/** For the console. A job that each server does in part has no last run. */
	async function remember({ name, isLocked }: Job, run: Omit<LastRun, "finishedAt">) {
		if (!isLocked) return;
		await saveLastRun(database, name, { finishedAt: new Date(), ...run }).catch((error: unknown) =>
			log.warn({ err: error, job: name }, "the result of a job could not be saved"),
		);
	}

	/** Runs and reports it. Throws what the work throws. */
	async function measure(job: Job): Promise<Report> {
		const startedAt = performance.now();
		const seconds = () => (performance.now() - startedAt) / 1000;
		try {
			const report = await job.run(signal);
			metrics.countJob(job.name, "ok", seconds());
			const hasDone = Object.values(report).some((count) => count > 0);
			const level = hasDone && job.isLocked ? "info" : "debug";
			log[level]({ job: job.name, ...report, seconds: seconds() }, "job done");
			if (failing.delete(job.name)) log.info({ job: job.name }, "job succeeds again");
			await remember(job, { seconds: seconds(), hasFailed: false, report });
			return report;
		} catch (error) {
			metrics.countJob(job.name, "failed", seconds());
			// An outage must not fill the log.
			const level = failing.has(job.name) ? "debug" : "error";
			failing.set(job.name, (failing.get(job.name) ?? 0) + 1);
			log[level]({ err: error, job: job.name }, "job failed");
			await remember(job, { seconds: seconds(), hasFailed: true, report: {} });
			throw error;
		}
	}

	/** Twice as long after each failure. */
	function pauseAfterFailure({ name, everyMs, maxRetryMs = RETRY_MS }: Job, error: unknown) {
		const firstMs = Math.min(everyMs || RETRY_MS, maxRetryMs);
		const pauseMs = Math.min(firstMs * 2 ** ((failing.get(name) ?? 1) - 1), maxRetryMs);
		const wishedMs = error instanceof StreamFailure ? (error.retryAfterMs ?? 0) : 0;
		return Math.max(pauseMs, wishedMs);
	}

	async function runLocked(job: Job, lock: JobLock): Promise<Report> {
		const renewMs = (job.lockMs ?? LOCK_MS) / 3;
		const renewing = setInterval(() => void lock.renew().catch(() => {}), renewMs).unref();
		let nextInMs = Math.min(job.everyMs || RETRY_MS, RETRY_MS);
		try {
			const report = await measure(job);
			// Interrupted work is due again.
			if (!signal.aborted && job.everyMs > 0) nextInMs = job.everyMs;
			return report;
		} catch (error) {
			nextInMs = pauseAfterFailure(job, error);
			throw error;
		} finally {
			clearInterval(renewing);
			await lock.release(nextInMs);
		}
	}

	async function runOnce(job: Job, isForced: boolean): Promise<Report | null> {
		if (!job.isLocked) return measure(job);
		if (job.hasWork && !isForced && !(await job.hasWork())) return null;
		const lock = await lockJob(database, job.name, { isForced, lockMs: job.lockMs });
		return lock ? runLocked(job, lock) : null;
	}

	async function repeat(job: Job): Promise<void> {
		const pauseMs = job.isLocked ? Math.min(CHECK_EVERY_MS, job.everyMs) : job.everyMs;
		let isWarned = false;
		while (!signal.aborted) {
			// Not at once, and servers that start together do not ask together.
			await sleep(pauseMs * (0.9 + Math.random() * 0.2), null, { signal, ref: false }).catch(
				() => {},
			);
			if (signal.aborted) return;
			try {
				await runOnce(job, false);
				isWarned = false;
			} catch (error) {
				// Without the database, nobody knows whether it is due.
				if (!failing.has(job.name) && !isWarned) {
					log.warn({ err: error, job: job.name }, "job failed");
				}
				isWarned = true;
			}
		}
	}

	const track = <T>(work: Promise<T>): Promise<T> => {
		const tracked = work.finally(() => running.delete(tracked));
		running.add(tracked);
		return tracked;
	};

	return {
		start: () => {
			for (const job of jobs) if (job.everyMs > 0) void track(repeat(job));
		},
		run: async (name) => {
			const job = jobs.find((one) => one.name === name);
			return job ? track(runOnce(job, true)) : null;
		},
		list: async () => {
			const lastRuns = await listLastRuns(database);
			return jobs.map(({ name, everyMs }) => ({
				name,
				everySeconds: everyMs / SECOND_MS,
				lastRun: lastRuns.get(name) ?? null,
			}));
		},
		close: async () => {
			stopping.abort();
			const timeout = sleep(CLOSE_TIMEOUT_MS, "timeout" as const, { ref: false });
			const first = await Promise.race([Promise.allSettled(running), timeout]);
			if (first === "timeout") log.warn("a job was interrupted");
		},
	};
}
