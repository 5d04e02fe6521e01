import { Hono } from "hono";
import type { Backend } from "../auth";
import { clockOffset, storeClocks } from "../database/clocks";
import { pingDatabase } from "../database/open-database";
import { writeCheck } from "../database/write-check";
import type { Log } from "../monitoring/log";
import type { ServiceConfig } from "../settings/service-config";

type Check = "ok" | "failed" | "read-only" | "not configured";
export type HealthReport = {
	/** `degraded`: people can sign in, but not everything works. */
	status: "ready" | "degraded" | "unavailable" | "stopping";
	checks: Record<string, Check>;
};

export type Health = {
	routes: Hono;
	/** What `/readyz` says. */
	check: () => Promise<HealthReport>;
	/** From now on, the server reports that it is not ready. */
	stop: () => void;
};

const TIMEOUT_MS = 3000;

/**
 * `/healthz`: the process is running. `/readyz`: people can sign in, because the database responds and
 * writes. Redis is away for all servers at once: if none were ready, nobody could sign in at all.
 */
export function createHealth(
	{ database, redis, metrics }: Pick<Backend, "database" | "redis" | "metrics">,
	log: Log,
	{ email }: Pick<ServiceConfig, "email">,
): Health {
	let isStopping = false;
	let running: Promise<HealthReport> | null = null;
	const canWrite = writeCheck(database, (error) =>
		log.error({ err: error }, "the database does not write"),
	);

	const checkStores = async (): Promise<HealthReport> => {
		const checks: Record<string, Check> = {};
		const check = async (name: string, ping: () => Promise<Check>) => {
			checks[name] = await withTimeout(ping()).then(
				(result) => result,
				(error) => {
					log.error({ err: error }, `${name} does not respond`);
					return "failed" as const;
				},
			);
		};
		await Promise.all([
			check("database", async () => {
				await pingDatabase(database);
				return (await canWrite()) ? "ok" : "read-only";
			}),
			...(redis ? [check("redis", () => redis.ping().then(() => "ok" as const))] : []),
		]);
		const isWell = Object.values(checks).every((result) => result === "ok");
		const status = isWell ? "ready" : checks.database === "ok" ? "degraded" : "unavailable";
		// People can sign in without it, so the server is ready.
		if (email === "none") checks.email = "not configured";
		return { status, checks };
	};

	/** Concurrent requests share one check, so that a flood of them uses one connection. */
	const report = async (): Promise<HealthReport> => {
		if (isStopping) return { status: "stopping", checks: {} };
		running ??= checkStores().finally(() => {
			running = null;
		});
		return running;
	};

	const routes = new Hono();
	routes.get("/healthz", (c) => c.json({ status: "up" }, 200, noStore));
	routes.get("/readyz", async (c) => {
		const found = await report();
		const isReady = found.status === "ready" || found.status === "degraded";
		return c.json(found, isReady ? 200 : 503, noStore);
	});
	metrics.watchStores(async () => {
		const { database, redis: redisCheck } = (await report()).checks;
		return { ...(database && { database }), ...(redisCheck && { redis: redisCheck }) };
	});
	metrics.watchClocks(async () => {
		const offsets: Record<string, number> = {};
		const measure = async ([store, readClock]: [string, () => Promise<number>]) => {
			offsets[store] = (await withTimeout(clockOffset(readClock))) / 1000;
		};
		await Promise.allSettled(Object.entries(storeClocks({ database, redis })).map(measure));
		return offsets;
	});
	return {
		routes,
		check: report,
		stop: () => {
			isStopping = true;
		},
	};
}

const noStore = { "cache-control": "no-store" };

async function withTimeout<T>(ping: Promise<T>): Promise<T> {
	let timer: NodeJS.Timeout | undefined;
	const timeout = new Promise<never>((_, reject) => {
		timer = setTimeout(() => reject(new Error(`no response in ${TIMEOUT_MS} ms`)), TIMEOUT_MS);
	});
	return Promise.race([ping, timeout]).finally(() => clearTimeout(timer));
}
