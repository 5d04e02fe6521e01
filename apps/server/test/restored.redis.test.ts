import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { Redis } from "ioredis";
import { describe, expect, onTestFinished, test } from "vitest";
import { notEmpty } from "../../../testing/not-empty";
import { services } from "../../../testing/services";
import { asManager, cookiesOf, newTenant, newUser, runningService } from "./running-service";
import { temporaryDirectory } from "./temporary-directory";

const PROGRAM = "/usr/bin/redis-server";

async function freePort(): Promise<number> {
	const server = createServer().listen(0, "127.0.0.1");
	await once(server, "listening");
	const address = server.address();
	server.close();
	await once(server, "close");
	return typeof address === "object" && address ? address.port : 0;
}

/** A Redis of the test's own, which writes a snapshot only when it is asked to. */
async function ownRedis() {
	const port = await freePort();
	const folder = temporaryDirectory();
	const url = `redis://127.0.0.1:${port}`;
	let running: ChildProcess | null = null;

	async function start(): Promise<void> {
		const options = ["--bind", "127.0.0.1", "--save", "", "--dir", folder];
		running = spawn(PROGRAM, ["--port", String(port), ...options], { stdio: "ignore" });
		await withClient((client) => client.ping());
	}

	async function kill(): Promise<void> {
		if (!running) return;
		running.kill("SIGKILL");
		await once(running, "exit");
		running = null;
	}

	/** It waits until the server answers. */
	async function withClient(work: (client: Redis) => Promise<unknown>): Promise<void> {
		const client = new Redis(url, { maxRetriesPerRequest: null, retryStrategy: () => 50 });
		client.on("error", () => {});
		await work(client);
		client.disconnect();
	}

	onTestFinished(kill);
	await start();
	return { url, start, kill, save: () => withClient((client) => client.save()) };
}

describe.skipIf(!services.redis || !existsSync(PROGRAM))("a Redis that goes back in time", () => {
	test("brings back no session that has ended, and loses none that is valid", async () => {
		const redis = await ownRedis();
		const { post, call, baseUrl } = await runningService({
			REDIS_URL: redis.url,
			DATA_DIR: temporaryDirectory(),
		});
		const tenantId = await newTenant(post);
		const headers = { "x-tenant-id": tenantId };
		const signUp = async (email: string) => {
			const answer = await post("/tenant/sign-up/email", newUser(email), headers);
			const { user } = (await answer.clone().json()) as { user: { id: string } };
			return { userId: user.id, cookie: cookiesOf(answer) };
		};
		const names = ["signed-out", "revoked", "disabled", "deleted", "kept"] as const;
		const people = new Map<string, Awaited<ReturnType<typeof signUp>>>();
		for (const name of names) people.set(name, await signUp(`${name}@example.com`));
		const stateOf = async (name: string) => {
			const cookie = people.get(name)?.cookie ?? "";
			const answer = await call("/api/auth/get-session", { headers: { cookie } });
			return answer.status === 200 ? (await answer.json()) !== null : answer.status;
		};
		const states = async () =>
			Object.fromEntries(await Promise.all(names.map(async (it) => [it, await stateOf(it)])));
		for (const name of notEmpty(names)) expect(await stateOf(name)).toBe(true);
		await redis.save();
		const end = (name: string, path: string) =>
			post(`/tenant/user/${path}`, { tenantId, userId: people.get(name)?.userId }, asManager);
		const cookie = people.get("signed-out")?.cookie ?? "";
		expect((await post("/sign-out", {}, { cookie, origin: baseUrl })).status).toBe(200);
		expect((await end("revoked", "revoke-sessions")).status).toBe(200);
		expect((await end("disabled", "disable")).status).toBe(200);
		expect((await end("deleted", "delete")).status).toBe(200);
		await redis.kill();
		await redis.start();
		await expect.poll(() => stateOf("kept")).toBe(true);
		await expect
			.poll(async () => (await call("/readyz")).json())
			.toMatchObject({ status: "ready" });
		expect(await states()).toEqual({
			"signed-out": false,
			revoked: false,
			disabled: false,
			deleted: false,
			kept: true,
		});
	});
});
