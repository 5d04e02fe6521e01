import { expect, test } from "vitest";
import { newTenant, newUser, runningService } from "../running-service";
import { ok, startCollector, withStatus } from "./collector";

async function streaming() {
	const collector = await startCollector();
	const service = await runningService({ EVENT_STREAM_URL: collector.url });
	const tenantId = await newTenant(service.post, "acme", { metadata: { plan: "pro" } });
	return { collector, service, tenantId, send: () => service.jobs.run("event-stream") };
}

test("an event is a log record, with the names of OpenTelemetry", async () => {
	const { collector, service, tenantId, send } = await streaming();
	const headers = { "x-tenant-id": tenantId };
	const wrong = { email: newUser("ada@example.com").email, password: "a wrong password" };
	await service.post("/tenant/sign-in/email", wrong, headers);
	await expect
		.poll(async () =>
			(await service.backend.auth.$context).adapter.count({ model: "eventStreamEntry" }),
		)
		.toBe(2);
	expect(await send()).toEqual({ sent: 2, rejected: 0 });
	const [request] = collector.received;
	expect(request).toMatchObject({
		path: "/v1/logs",
		headers: { "content-type": "application/json" },
	});
	const json = JSON.parse(String(request?.text));
	const [audit, signIn] = json.resourceLogs[0].scopeLogs[0].logRecords;
	const text = (key: string, stringValue: unknown) => ({ key, value: { stringValue } });
	expect(json.resourceLogs[0].resource.attributes).toEqual([
		text("service.name", "tenant-auth"),
		text("server.address", "localhost:3000"),
	]);
	expect(audit).toMatchObject({
		eventName: "tenant_auth.audit",
		severityNumber: 9,
		body: { stringValue: "tenant:create" },
		attributes: expect.arrayContaining([
			text("log.record.uid", expect.any(String)),
			text("tenant_auth.tenant_id", tenantId),
			text("tenant_auth.actor.kind", "key"),
			text("tenant_auth.detail", expect.stringContaining('"slug"')),
		]),
	});
	expect(Math.abs(Number(audit.timeUnixNano) / 1e6 - Date.now())).toBeLessThan(600_000);
	expect(signIn).toMatchObject({
		eventName: "tenant_auth.sign_in",
		severityNumber: 13,
		attributes: expect.arrayContaining([
			text("tenant_auth.reason", "USER_NOT_FOUND"),
			{ key: "tenant_auth.attempts", value: { intValue: "1" } },
		]),
	});
});

test("a partial success is logged and not repeated", async () => {
	const { collector, service, send } = await streaming();
	const partialSuccess = { rejectedLogRecords: "1", errorMessage: "too old" };
	collector.respondWith(withStatus(200, JSON.stringify({ partialSuccess })));
	expect(await send()).toEqual({ sent: 0, rejected: 1 });
	expect(service.logged()).toContainEqual(
		expect.objectContaining({ level: "error", rejected: 1, of: 1, reason: "too old" }),
	);
	collector.respondWith(ok);
	expect(await send()).toEqual({ sent: 0, rejected: 0 });
});

test.each([
	["an empty one", ""],
	["an empty partial success", '{"partialSuccess":{}}'],
	["a warning", '{"partialSuccess":{"errorMessage":"deprecated"}}'],
])("a response is a success: %s", async (_, body) => {
	const { collector, send } = await streaming();
	collector.respondWith(withStatus(200, body));
	expect(await send()).toEqual({ sent: 1, rejected: 0 });
});

test.each(["<html>Sign in</html>", "[]", '"ok"', '{"partialSuccess":{"rejectedLogRecords":-1}}'])(
	"a page that responds with 200 is not a collector, and loses no event: %s",
	async (body) => {
		const { collector, send } = await streaming();
		collector.respondWith(withStatus(200, body));
		await expect(send()).rejects.toThrow("The response is not one of an OTLP collector");
		collector.respondWith(ok);
		expect(await send()).toEqual({ sent: 1, rejected: 0 });
	},
);
