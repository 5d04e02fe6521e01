import { version } from "../../package.json" with { type: "json" };
import type { Backend } from "../auth";
import { streamState } from "../event-stream/outbox";
import type { Jobs } from "../jobs/jobs";
import type { ServiceConfig } from "../settings/service-config";
import type { Health, HealthReport } from "./health";

export type HealthParts = {
	config: ServiceConfig;
	backend: Backend;
	health: Pick<Health, "check">;
	jobs: Pick<Jobs, "list">;
};

type ServiceHealth = HealthReport & {
	version: string;
	/** Of the server that responds. */
	uptimeSeconds: number;
	email: ServiceConfig["email"];
	/** Emails of this server that could not be sent, since it started. */
	failedEmails: number;
	/** For how long the oldest event waits for the log collector. `null` without one, or if nobody knows. */
	streamLagSeconds: number | null;
	/** The jobs whose last run failed. `null` if nobody knows. */
	failedJobs: string[] | null;
};

/** Whether the service works, for the overview. It responds also if a store does not. */
export async function serviceHealth(parts: HealthParts): Promise<ServiceHealth> {
	const { config, backend, health, jobs } = parts;
	const { eventStream } = config.settings;
	const report = await health.check();
	const read = async <T>(find: () => Promise<T>): Promise<T | null> =>
		// The report says that the database does not respond.
		report.checks.database === "failed" ? null : find().catch(() => null);
	return {
		...report,
		version,
		uptimeSeconds: Math.round(process.uptime()),
		email: config.email,
		failedEmails: await backend.metrics.failedEmails(),
		streamLagSeconds: eventStream
			? await read(async () => {
					return (await streamState(await backend.auth.$context, eventStream)).lagSeconds;
				})
			: null,
		failedJobs: await read(async () =>
			(await jobs.list()).flatMap(({ name, lastRun }) => (lastRun?.hasFailed ? [name] : [])),
		),
	};
}
