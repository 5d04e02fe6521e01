import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { lockJob } from "../src/database/job-schedule";
import { command } from "./cli-command";
import {
	asManager,
	newTenant,
	newUser,
	type RunningService,
	runningService,
} from "./running-service";
import { temporaryDirectory } from "./temporary-directory";

const DAY_MS = 24 * 60 * 60 * 1000;

/** Lets all sessions end in the past. */
async function expireSessions({ backend }: RunningService): Promise<void> {
	const db = backend.database.db as unknown as import("kysely").Kysely<{
		session: { expiresAt: string };
	}>;
	const expiresAt = new Date(Date.now() - DAY_MS).toISOString();
	await db.updateTable("session").set({ expiresAt }).execute();
}

async function signedUp(service: RunningService): Promise<void> {
	const headers = { "x-tenant-id": await newTenant(service.post) };
	const answer = await service.post("/tenant/sign-up/email", newUser("ada@example.com"), headers);
	expect(answer.status).toBe(200);
}

test("the clean-up deletes expired sessions and counts the run", async () => {
	const service = await runningService();
	await signedUp(service);
	await expireSessions(service);
	expect(await service.jobs.run("clean-up")).toMatchObject({ sessions: 1 });
	expect(await service.jobs.run("clean-up")).toMatchObject({ sessions: 0 });
	const metrics = await service.backend.metrics.text();
	expect(metrics).toContain('auth_jobs_total{name="clean-up",outcome="ok"} 2');
	expect(service.logged()).toContainEqual(
		expect.objectContaining({ level: "info", job: "clean-up", sessions: 1 }),
	);
});

test("the clean-up forgets used client assertions that have expired", async () => {
	const service = await runningService();
	const { adapter } = await service.backend.auth.$context;
	for (const days of [-1, 1]) {
		const expiresAt = new Date(Date.now() + days * DAY_MS);
		await adapter.create({ model: "oauthClientAssertion", data: { expiresAt } });
	}
	expect(await service.jobs.run("clean-up")).toMatchObject({ oauthTokens: 1 });
	expect(await adapter.count({ model: "oauthClientAssertion" })).toBe(1);
});

test("operators see the retention, and how each job ended", async () => {
	const service = await runningService({ AUDIT_RETENTION_DAYS: "400" });
	const read = async () => {
		const answer = await service.call("/service/jobs", { headers: asManager });
		expect(answer.status).toBe(200);
		return (await answer.json()) as { jobs: { name: string; lastRun: unknown }[] };
	};
	const lastRunOf = async (name: string) =>
		(await read()).jobs.find((job) => job.name === name)?.lastRun;
	expect(await read()).toEqual({
		retention: { auditEvents: 400, signIns: 90, webhookDeliveries: 30 },
		jobs: [
			{ name: "clean-up", everySeconds: 86_400, lastRun: null },
			{ name: "domain-check", everySeconds: 86_400, lastRun: null },
			{ name: "webhooks", everySeconds: 5, lastRun: null },
			{ name: "logout-tokens", everySeconds: 5, lastRun: null },
		],
		eventStream: null,
	});
	await signedUp(service);
	await expireSessions(service);
	await service.jobs.run("clean-up");
	expect(await lastRunOf("clean-up")).toMatchObject({
		finishedAt: expect.stringMatching(/^\d{4}-/),
		hasFailed: false,
		report: { sessions: 1 },
	});
	const { schema } = service.backend.database.db;
	await schema.alterTable("session").renameTo("gone").execute();
	await expect(service.jobs.run("clean-up")).rejects.toThrow();
	await schema.alterTable("gone").renameTo("session").execute();
	expect(await lastRunOf("clean-up")).toMatchObject({ hasFailed: true, report: {} });
	// Each server does a part of them.
	await service.jobs.run("webhooks");
	expect(await lastRunOf("webhooks")).toBeNull();
	expect((await service.call("/service/jobs")).status).toBe(401);
});

test("of several servers, one does a job, and again when it is due", async () => {
	const { backend } = await runningService();
	const take = (isForced = false) => lockJob(backend.database, "clean-up", { isForced });
	const locks = await Promise.all([take(), take(), take()]);
	const [lock] = locks.filter((one) => one !== null);
	expect(locks.filter((one) => one !== null)).toHaveLength(1);
	expect(await take(true)).toBeNull();
	await lock?.renew();
	expect(await take(true)).toBeNull();
	await lock?.release(DAY_MS);
	expect(await take()).toBeNull();
	await (await take(true))?.release(0);
	expect(await take()).not.toBeNull();
});

test("a server that has died keeps its lock for a limited time", async () => {
	const { backend } = await runningService();
	await lockJob(backend.database, "clean-up");
	const db = backend.database.db as unknown as import("kysely").Kysely<{
		service_job: { locked_until: number };
	}>;
	await db
		.updateTable("service_job")
		.set({ locked_until: Date.now() - 1 })
		.execute();
	expect(await lockJob(backend.database, "clean-up")).not.toBeNull();
});

test("work that fails is logged once, counted, and tried again", async () => {
	const service = await runningService();
	const { db } = service.backend.database;
	await db.schema.alterTable("tenantWebhookDelivery").renameTo("gone").execute();
	await expect(service.jobs.run("webhooks")).rejects.toThrow();
	await expect(service.jobs.run("webhooks")).rejects.toThrow();
	const failures = service.logged().filter(({ msg }) => msg === "job failed");
	expect(failures.map(({ level, job }) => [level, job])).toEqual([
		["error", "webhooks"],
		["debug", "webhooks"],
	]);
	await db.schema.alterTable("gone").renameTo("tenantWebhookDelivery").execute();
	await service.jobs.run("webhooks");
	expect(service.log()).toContain("job succeeds again");
	expect(await service.backend.metrics.text()).toContain(
		'auth_jobs_total{name="webhooks",outcome="failed"} 2',
	);
});

test("events reach a webhook without any call, and a stopping server lets a delivery end", async () => {
	const received: string[] = [];
	const receiver = createServer((request, response) => {
		received.push(String(request.headers["webhook-id"]));
		request.resume();
		setTimeout(() => response.writeHead(204).end(), 300);
	}).listen(0, "127.0.0.1");
	onTestFinished(() => void receiver.close());
	await once(receiver, "listening");
	const { port } = receiver.address() as AddressInfo;
	const service = await runningService({
		ALLOW_PRIVATE_PROVIDER_HOSTS: "true",
		WEBHOOK_INTERVAL_SECONDS: "1",
	});
	service.jobs.start();
	const tenantId = await newTenant(service.post);
	const webhook = { tenantId, url: `http://127.0.0.1:${port}/`, eventTypes: ["user.created"] };
	expect((await service.post("/tenant/webhook/create", webhook, asManager)).status).toBe(200);
	const headers = { "x-tenant-id": tenantId };
	await service.post("/tenant/sign-up/email", newUser("ada@example.com"), headers);
	await expect.poll(() => received.length).toBe(1);
	await service.close();
	expect(service.log()).not.toContain("interrupted");
	expect(await service.backend.metrics.text()).toContain(
		'auth_webhook_deliveries_total{outcome="delivered"} 1',
	);
});

test("tenant-auth clean-up deletes what has expired", async () => {
	const DATA_DIR = temporaryDirectory();
	const service = await runningService({ DATA_DIR });
	await signedUp(service);
	await expireSessions(service);
	await service.close();
	const environment = {
		DATA_DIR,
		BETTER_AUTH_SECRET: "a secret for tests with 32 characters and more: 8dK2!x",
	};
	const answer = await command(environment, ["clean-up", "--json"]);
	expect(answer.err).toBe("");
	expect(JSON.parse(answer.out)).toMatchObject({ deleted: { sessions: 1, invitations: 0 } });
});
