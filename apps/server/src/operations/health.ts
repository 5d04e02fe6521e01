import { Hono } from "hono";
import type { AuthParts } from "../auth";
import { askDatabase } from "../database/open-database";
import type { Log } from "../logs/log";

type Check = "ok" | "failed";
type Report = { status: "ready" | "unavailable" | "stopping"; checks: Record<string, Check> };

export type Health = {
	routes: Hono;
	/** From now on the server says that it is not ready. */
	stop: () => void;
};

const patienceMs = 3000;

/** `/healthz`: the process is up. `/readyz`: it can do its work, for its stores answer. */
export function createHealth(
	{ database, redis }: Pick<AuthParts, "database" | "redis">,
	log: Log,
): Health {
	let isStopping = false;
	let asking: Promise<Report> | null = null;

	const ask = async (): Promise<Report> => {
		const checks: Record<string, Check> = {};
		const check = async (name: string, question: () => Promise<void>) => {
			checks[name] = await inTime(question()).then(
				() => "ok" as const,
				(error) => {
					log.error({ err: error }, `${name} does not answer`);
					return "failed" as const;
				},
			);
		};
		await Promise.all([
			check("database", () => askDatabase(database)),
			...(redis ? [check("redis", redis.ask)] : []),
		]);
		const isReady = Object.values(checks).every((result) => result === "ok");
		return { status: isReady ? "ready" : "unavailable", checks };
	};

	/** Whoever asks while the stores are being asked hears the same: a flood takes one connection. */
	const report = async (): Promise<Report> => {
		if (isStopping) return { status: "stopping", checks: {} };
		asking ??= ask().finally(() => {
			asking = null;
		});
		return asking;
	};

	const routes = new Hono();
	routes.get("/healthz", (c) => c.json({ status: "up" }, 200, fresh));
	routes.get("/readyz", async (c) => {
		const answer = await report();
		return c.json(answer, answer.status === "ready" ? 200 : 503, fresh);
	});
	return {
		routes,
		stop: () => {
			isStopping = true;
		},
	};
}

const fresh = { "cache-control": "no-store" };

async function inTime(question: Promise<void>): Promise<void> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<never>((_, reject) => {
		timer = setTimeout(() => reject(new Error(`no answer in ${patienceMs} ms`)), patienceMs);
	});
	await Promise.race([question, late]).finally(() => clearTimeout(timer));
}
