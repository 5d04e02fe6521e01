import { createHmac } from "node:crypto";
import type { Kysely } from "kysely";
import { describe, expect, test, vi } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { stopClock } from "../../../../testing/stopped-clock";
import { untilHang } from "../../../../testing/time-limits";
import {
	asManager,
	newTenant,
	newUser,
	type RunningService,
	runningService,
} from "../running-service";
import { jsonStream, ok, startCollector, withStatus } from "./collector";

async function streaming(more: Record<string, string> = {}) {
	const collector = await startCollector();
	const service = await runningService({ ...jsonStream(collector), ...more });
	return { collector, service, send: () => service.jobs.run("event-stream") };
}

/** Each makes one audit event. */
async function addTenants(service: RunningService, count: number): Promise<string[]> {
	const ids: string[] = [];
	for (let index = 0; index < count; index += 1) {
		ids.push(await newTenant(service.post, `acme-${Math.random().toString(36).slice(2)}`));
	}
	return ids;
}

const waitingIn = async ({ backend }: RunningService) =>
	(await backend.auth.$context).adapter.count({ model: "eventStreamEntry" });

type OwnTables = {
	eventStreamEntry: { rowId: string };
	tenantAuditEvent: { id: string; detail: string };
	service_job: { name: string; due_at: number };
};
const tablesOf = ({ backend }: RunningService) =>
	backend.database.db as unknown as Kysely<OwnTables>;

async function waitFor(service: RunningService, count: number): Promise<void> {
	await vi.waitFor(async () => expect(await waitingIn(service)).toBe(count), untilHang);
}

test("a collector gets audit events and sign-ins, without emails and names of users", async () => {
	const { collector, service, send } = await streaming();
	const [tenantId = ""] = await addTenants(service, 1);
	const headers = { "x-tenant-id": tenantId };
	const user = newUser("ada@example.com");
	await service.post("/tenant/sign-up/email", user, headers);
	const wrong = { email: user.email, password: "a wrong password" };
	expect((await service.post("/tenant/sign-in/email", wrong, headers)).status).toBe(401);
	// Sign-ins are stored in the background.
	await waitFor(service, 3);
	expect(await send()).toEqual({ sent: 3, rejected: 0 });
	expect(collector.events()).toMatchObject([
		{
			type: "audit",
			action: "tenant:create",
			tenantId,
			actor: { kind: "key", id: expect.any(String), name: null },
			detail: { slug: expect.any(String) },
		},
		{ type: "sign-in", result: "succeeded", tenantId, userId: expect.any(String) },
		{ type: "sign-in", result: "failed", reason: "INVALID_PASSWORD", attempts: 1 },
	]);
	const [request] = collector.received;
	expect(request?.text).not.toContain("ada@example.com");
	expect(request?.text).not.toContain("Ada");
	expect(request?.text).not.toContain("emailDigest");
	expect(await send()).toEqual({ sent: 0, rejected: 0 });
	expect(collector.received).toHaveLength(1);
});

test("what operators do to the service is sent too, for no tenant", async () => {
	const { collector, service, send } = await streaming();
	const key = { name: "metrics", scopes: ["service:metrics"] };
	expect((await service.post("/operator/key/create", key, asManager)).status).toBe(200);
	await send();
	expect(collector.events()).toMatchObject([{ type: "audit", tenantId: null }]);
	expect(collector.received[0]?.text).not.toContain(asManager.authorization.slice(7));
});

test("requests of JSON are signed, and have the headers of the settings", async () => {
	const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
	const { collector, service, send } = await streaming({
		EVENT_STREAM_SECRET: secret,
		EVENT_STREAM_HEADERS: "authorization=Bearer%20token-of-the-collector,X-Scope=auth",
	});
	await addTenants(service, 1);
	await send();
	expect(collector.received).toHaveLength(1);
	const { headers = {}, text = "" } = collector.received[0] ?? {};
	expect(headers).toMatchObject({
		authorization: "Bearer token-of-the-collector",
		"x-scope": "auth",
		"content-type": "application/json",
	});
	const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${text}`;
	const digest = createHmac("sha256", Buffer.alloc(32, 7)).update(signed).digest("base64");
	expect(headers["webhook-signature"]).toBe(`v1,${digest}`);
});

describe("events that happen while the collector is away", () => {
	test("arrive afterwards, all and in order", async () => {
		const { collector, service, send } = await streaming();
		const created: string[] = [];
		const answers = [
			withStatus(503),
			withStatus(500, "<h1>error</h1>"),
			withStatus(401),
			withStatus(404),
			withStatus(302, "", { location: "https://example.com/" }),
			// The connection ends before and in the middle of a response.
			(response: { destroy: () => unknown }) => response.destroy(),
			(response: import("node:http").ServerResponse) => {
				response.writeHead(200, { "content-length": "100" }).write("{");
				response.destroy();
			},
			withStatus(200, "x".repeat(70_000)),
		];
		for (const answer of notEmpty(answers)) {
			created.push(...(await addTenants(service, 3)));
			collector.respondWith(answer);
			await expect(send()).rejects.toThrow(/collector|response/);
		}
		collector.respondWith(ok);
		expect(await send()).toEqual({ sent: created.length, rejected: 0 });
		const sent = collector.events().slice(-created.length);
		expect(sent.map(({ tenantId }) => tenantId)).toEqual(created);
		expect(await waitingIn(service)).toBe(0);
	});

	test("are logged once as a failure, counted, and show a lag", async () => {
		const { collector, service, send } = await streaming();
		await addTenants(service, 1);
		collector.respondWith(withStatus(503));
		await expect(send()).rejects.toThrow("The collector responded with 503");
		await expect(send()).rejects.toThrow();
		const failures = service.logged().filter(({ msg }) => msg === "job failed");
		expect(failures.map(({ level }) => level)).toEqual(["error", "debug"]);
		const during = await service.backend.metrics.text();
		expect(during).toMatch(/auth_event_stream_lag_seconds [\d.]*[1-9]/);
		expect(during).toContain('auth_jobs_total{name="event-stream",outcome="failed"} 2');
		collector.respondWith(ok);
		await send();
		const after = await service.backend.metrics.text();
		expect(after).toContain("auth_event_stream_lag_seconds 0\n");
		expect(after).toContain('auth_event_stream_events_total{outcome="sent"} 1');
	});

	test("wait longer after each failure, and as long as Retry-After says", async () => {
		stopClock();
		const { collector, service, send } = await streaming();
		await addTenants(service, 1);
		const dueIn = async () => {
			const { due_at } = await tablesOf(service)
				.selectFrom("service_job")
				.select("due_at")
				.where("name", "=", "event-stream")
				.executeTakeFirstOrThrow();
			return (due_at - Date.now()) / 1000;
		};
		collector.respondWith(withStatus(503));
		const pauses: number[] = [];
		for (let failure = 0; failure < 6; failure += 1) {
			await expect(send()).rejects.toThrow();
			pauses.push(await dueIn());
		}
		expect(pauses).toEqual([5, 10, 20, 40, 60, 60]);
		collector.respondWith(withStatus(429, "", { "retry-after": "120" }));
		await expect(send()).rejects.toThrow();
		expect(await dueIn()).toBe(120);
		collector.respondWith(ok);
		await send();
		expect(await dueIn()).toBe(5);
	});
});

test("a server that dies after the response, before it notes that, sends the same ids again", async () => {
	const { collector, service, send } = await streaming();
	const created = await addTenants(service, 3);
	const { schema } = service.backend.database.db;
	collector.respondWith(async (response) => {
		await schema.alterTable("eventStreamEntry").renameTo("gone").execute();
		response.end("{}");
	});
	await expect(send()).rejects.toThrow();
	await schema.alterTable("gone").renameTo("eventStreamEntry").execute();
	collector.respondWith(ok);
	await addTenants(service, 1);
	expect(await send()).toEqual({ sent: 4, rejected: 0 });
	const ids = collector.events().map(({ id }) => id);
	expect(ids).toHaveLength(7);
	expect(ids.slice(3, 6)).toEqual(ids.slice(0, 3));
	expect(new Set(collector.events().map(({ tenantId }) => tenantId)).size).toBe(created.length + 1);
});

test("of several servers, one sends, and no event comes twice", async () => {
	const { collector, service, send } = await streaming();
	await addTenants(service, 5);
	collector.respondWith((response) => setTimeout(() => response.end("{}"), 50));
	const reports = await Promise.all([send(), send(), send()]);
	expect(reports.filter((report) => report !== null)).toEqual([{ sent: 5, rejected: 0 }]);
	const ids = collector.events().map(({ id }) => id);
	expect(new Set(ids).size).toBe(5);
	expect(ids).toHaveLength(5);
});

test("requests have a limit of events and of bytes", async () => {
	const { collector, service, send } = await streaming();
	await addTenants(service, 4);
	const detail = JSON.stringify({ text: "ä".repeat(300_000) });
	await tablesOf(service).updateTable("tenantAuditEvent").set({ detail }).execute();
	expect(await send()).toEqual({ sent: 4, rejected: 0 });
	expect(collector.received.map(({ text }) => JSON.parse(text).length)).toEqual([1, 1, 1, 1]);
	const { adapter } = await service.backend.auth.$context;
	const [row] = await adapter.findMany<{ id: string }>({ model: "tenantAuditEvent", limit: 1 });
	await tablesOf(service).updateTable("tenantAuditEvent").set({ detail: "{}" }).execute();
	for (let index = 0; index < 450; index += 1) {
		const data = { source: "tenantAuditEvent", rowId: String(row?.id), createdAt: new Date() };
		await adapter.create({ model: "eventStreamEntry", data });
	}
	collector.received.length = 0;
	await send();
	expect(collector.received.map(({ text }) => JSON.parse(text).length)).toEqual([200, 200, 50]);
});

test("an event that was erased meanwhile is not sent", async () => {
	const { collector, service, send } = await streaming();
	const [erased, kept] = await addTenants(service, 2);
	await tablesOf(service)
		.deleteFrom("tenantAuditEvent")
		.where("id", "in", (select) => select.selectFrom("eventStreamEntry").select("rowId").limit(1))
		.execute();
	expect(await send()).toEqual({ sent: 1, rejected: 0 });
	expect(collector.events().map(({ tenantId }) => tenantId)).toHaveLength(1);
	expect([erased, kept]).toContain(collector.events()[0]?.tenantId);
	expect(await waitingIn(service)).toBe(0);
});

describe("a collector that refuses an event", () => {
	/** Refuses requests with an event of this tenant. */
	const refusing =
		(tenantId: string, status = 400) =>
		(response: import("node:http").ServerResponse, { text }: { text: string }) =>
			response.writeHead(text.includes(tenantId) ? status : 200).end("{}");

	test.each([400, 413, 422])("with %i gets all others, and the log names it", async (status) => {
		const { collector, service, send } = await streaming();
		const created = await addTenants(service, 7);
		const bad = String(created[2]);
		collector.respondWith(refusing(bad, status));
		expect(await send()).toEqual({ sent: 6, rejected: 1 });
		const sent = collector.events().map(({ tenantId }) => tenantId);
		expect(sent).toEqual(created.filter((id) => id !== bad));
		expect(service.logged()).toContainEqual(
			expect.objectContaining({ level: "error", msg: "the log collector refuses an event" }),
		);
		expect(await service.backend.metrics.text()).toContain(
			'auth_event_stream_events_total{outcome="rejected"} 1',
		);
		expect(await waitingIn(service)).toBe(0);
	});

	test("loses nothing if it takes no event at all: its set-up is wrong", async () => {
		const { collector, service, send } = await streaming();
		const created = await addTenants(service, 12);
		collector.respondWith(withStatus(400));
		await expect(send()).rejects.toThrow("The collector refuses every event with 400");
		expect(await waitingIn(service)).toBe(12);
		// It does not ask for each of them.
		expect(collector.received.length).toBeLessThan(30);
		collector.respondWith(ok);
		await send();
		expect(collector.events().map(({ tenantId }) => tenantId)).toEqual(created);
	});
});

test("without EVENT_STREAM_URL, there is no table and no job", async () => {
	const service = await runningService();
	await addTenants(service, 1);
	const tables = await service.backend.database.db.introspection.getTables();
	expect(tables.map(({ name }) => name)).not.toContain("eventStreamEntry");
	expect(await service.jobs.run("event-stream")).toBeNull();
});

test("operators see the collector and what waits, and no secret", async () => {
	const { collector, service, send } = await streaming({
		EVENT_STREAM_HEADERS: "authorization=Bearer%20token-of-the-collector",
	});
	const read = async () => {
		const answer = await service.call("/service/jobs", { headers: asManager });
		return (await answer.json()) as { eventStream: unknown; jobs: unknown[] };
	};
	const everything = { waiting: 0, oldest: null, lagSeconds: 0 };
	const target = { origin: collector.origin, format: "json" };
	expect((await read()).eventStream).toEqual({ ...target, ...everything });
	await addTenants(service, 2);
	expect(await read()).toMatchObject({
		eventStream: { waiting: 2, oldest: expect.stringMatching(/^\d{4}-/) },
	});
	await send();
	const after = await read();
	expect(after.eventStream).toEqual({ ...target, ...everything });
	expect(after.jobs).toContainEqual({
		name: "event-stream",
		everySeconds: 5,
		lastRun: expect.objectContaining({ hasFailed: false, report: { sent: 2, rejected: 0 } }),
	});
	expect(JSON.stringify(after)).not.toContain("token-of");
});

test("the job sends without any call, and only when something waits", async () => {
	const collector = await startCollector();
	const service = await runningService({
		...jsonStream(collector),
		EVENT_STREAM_INTERVAL_SECONDS: "1",
	});
	service.jobs.start();
	await addTenants(service, 1);
	await expect.poll(() => collector.events().length, untilHang).toBe(1);
	await service.close();
	expect(service.log()).not.toContain("interrupted");
});

test("a change whose event cannot be noted does not happen", async () => {
	const { service } = await streaming();
	const { schema } = service.backend.database.db;
	await schema.alterTable("eventStreamEntry").renameTo("gone").execute();
	const body = { name: "Lost", slug: "lost" };
	const answer = await service.post("/tenant/create", body, asManager);
	expect(answer.status).toBeGreaterThanOrEqual(500);
	const { adapter } = await service.backend.auth.$context;
	for (const model of ["tenant", "tenantAuditEvent"]) {
		expect(await adapter.count({ model }), model).toBe(0);
	}
});
