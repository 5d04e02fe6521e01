import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { Pool } from "pg";
import { freePort } from "../../../../testing/ports";
import { MANAGEMENT_KEY, SECRET } from "../../host/host";
import { childrenOf, cpuOf } from "./cpu-usage";
import { ADDRESS_HEADER, type Program, startNginx, startServer } from "./programs";

/** CPU time since the start, in microseconds. */
interface Usage {
	servers: number;
	/** nginx, PostgreSQL and Redis. */
	others: number;
}

/** Servers behind nginx, on one PostgreSQL and one Redis. */
export interface Service {
	port: number;
	processes: number;
	usage(): Promise<Usage>;
}

export interface ServiceAddresses {
	postgres: string;
	/** Its database 14 is emptied. */
	redis: string;
	nginx: string;
}

/** Few, because all servers share the connections that PostgreSQL allows. */
const POOL_SIZE = "4";

/** One service for each number of processes, side by side on the same stores. */
export async function startServices(counts: number[], addresses: ServiceAddresses) {
	const directory = mkdtempSync(join(tmpdir(), "better-auth-tenant-processes-"));
	const redisUrl = new URL(addresses.redis);
	redisUrl.pathname = "/14";
	const redis = new Redis(redisUrl.href);
	const postgres = new Pool({ connectionString: addresses.postgres, max: 1 });
	const programs: Program[] = [];
	await redis.flushdb();

	async function close() {
		for (const program of programs.reverse()) await program.stop();
		await redis.flushdb();
		await redis.quit();
		await postgres.end();
		rmSync(directory, { recursive: true, force: true });
	}
	try {
		const environment = {
			BETTER_AUTH_URL: "http://localhost:3000",
			BETTER_AUTH_SECRET: SECRET,
			MANAGEMENT_KEYS: MANAGEMENT_KEY,
			DATABASE_URL: addresses.postgres,
			DATABASE_POOL_SIZE: POOL_SIZE,
			REDIS_URL: redisUrl.href,
			TRUST_PROXY: "1",
			LOG_LEVEL: "error",
			DATA_DIR: directory,
		};
		const groups: { port: number; servers: Program[] }[] = [];
		for (const count of counts) {
			const servers: Program[] = [];
			for (let n = 0; n < count; n += 1) {
				const server = await startServer(environment);
				programs.push(server);
				servers.push(server);
			}
			groups.push({ port: await freePort(), servers });
		}
		const nginx = await startNginx(addresses.nginx, directory, groups);
		programs.push(nginx);
		const others = async () => {
			const { rows } = await postgres.query<{ pid: number }>(
				"select pid from pg_stat_activity where datname = current_database()",
			);
			const ids = [nginx.pid, ...childrenOf(nginx.pid), ...rows.map(({ pid }) => pid)];
			return cpuOf(ids) + redisCpu(await redis.info("cpu"));
		};
		const services = groups.map(({ port, servers }): Service => {
			const ids = servers.map(({ pid }) => pid);
			const usage = async () => ({ servers: cpuOf(ids), others: await others() });
			return { port, processes: servers.length, usage };
		});
		return { services, close };
	} catch (error) {
		await close();
		throw error;
	}
}

function redisCpu(info: string): number {
	const seconds = [...info.matchAll(/^used_cpu_(?:sys|user):([\d.]+)/gm)];
	return seconds.reduce((sum, [, value]) => sum + Number(value), 0) * 1e6;
}

/** A tenant with users who are signed in. */
export async function addUsers(port: number, count: number) {
	let calls = 0;
	const post = async (path: string, body: object, headers: Record<string, string>) => {
		const response = await fetch(`http://127.0.0.1:${port}/api/auth${path}`, {
			method: "POST",
			headers: {
				"content-type": "application/json",
				[ADDRESS_HEADER]: `10.255.0.${++calls}`,
				...headers,
			},
			body: JSON.stringify(body),
		});
		if (!response.ok)
			throw new Error(`${path} returned ${response.status} ${await response.text()}`);
		return response;
	};
	const key = { authorization: `Bearer ${MANAGEMENT_KEY}` };
	const created = await post("/tenant/create", { name: "Acme", slug: "acme" }, key);
	const { id } = (await created.json()) as { id: string };
	const tenant = { "x-tenant-id": id };
	const users = [];
	for (let n = 0; n < count; n += 1) {
		const account = { email: `user-${n}@example.com`, password: "correct horse battery" };
		const response = await post("/tenant/sign-up/email", { name: "User", ...account }, tenant);
		const cookie = response.headers
			.getSetCookie()
			.map((line) => line.split(";")[0])
			.join("; ");
		users.push({ account, cookie });
	}
	return { tenant, users };
}
