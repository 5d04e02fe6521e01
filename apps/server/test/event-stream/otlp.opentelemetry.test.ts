import { createRequire } from "node:module";
import { describe, expect, test } from "vitest";
import { services } from "../../../../testing/services";
import { toAudit, toSignIn } from "../../src/event-stream/event";
import { toOtlp } from "../../src/event-stream/otlp";

type MessageType = {
	fromObject: (json: object) => object;
	encode: (message: object) => { finish: () => Uint8Array };
	decode: (bytes: Uint8Array) => object;
	toObject: (message: object, options: object) => unknown;
};
type Definitions = {
	opentelemetry: {
		proto: { collector: { logs: { v1: { ExportLogsServiceRequest: MessageType } } } };
	};
};

/** What a collector understands. A field that OpenTelemetry does not know, or of another type, is gone. */
function understood(json: object): unknown {
	const require = createRequire(import.meta.url);
	const { opentelemetry } = require(String(services.opentelemetry)) as Definitions;
	const { ExportLogsServiceRequest: request } = opentelemetry.proto.collector.logs.v1;
	const bytes = request.encode(request.fromObject(json)).finish();
	return request.toObject(request.decode(bytes), { longs: String });
}

const origin = { ipAddress: "203.0.113.7", userAgent: "Mozilla/5.0 \u{1f600}" };
const createdAt = new Date("2026-11-18T09:12:44.031Z");

const audit = toAudit({
	...{ id: "audit-1", createdAt, action: "tenant:update", tenantId: "acme" },
	...{ actorKind: "administrator", actorId: "ada", actorName: "Ada", targetId: "acme", ...origin },
	detail: JSON.stringify({ name: "Acme", nested: { list: [1, null, "ä"] } }),
});
const signIn = toSignIn({
	...{ id: "sign-in-1", createdAt, tenantId: "acme", result: "failed", reason: "NO_PASSWORD" },
	...{ userId: "bob", method: "social", providerId: "google", attempts: 2_147_483_647, ...origin },
});
const nothing = {
	audit: {
		...{ id: "audit-2", createdAt, action: "app:start", tenantId: "", actorKind: "server" },
		...{ actorId: null, actorName: null, targetId: null, ipAddress: null, userAgent: null },
		detail: null,
	},
	signIn: {
		...{ id: "sign-in-2", createdAt, tenantId: "acme", result: "succeeded" as const, reason: null },
		...{ userId: null, method: null, providerId: null, ipAddress: null, userAgent: null },
		attempts: 1,
	},
};

describe.skipIf(!services.opentelemetry)("the protobuf definitions of OpenTelemetry", () => {
	test.each([
		["events with every field", [audit, signIn]],
		["events with no optional field", [toAudit(nothing.audit), toSignIn(nothing.signIn)]],
	])("understand each field of %s", (_, events) => {
		const json = toOtlp(events, "auth.example.com");
		expect(understood(json)).toEqual(json);
	});

	test("know a request without events", () => {
		expect(understood(toOtlp([], "auth.example.com"))).toMatchObject({ resourceLogs: [{}] });
	});

	test("do not know a field with another name", () => {
		const { resourceLogs } = toOtlp([audit], "auth.example.com");
		const json = { resourceLogs: resourceLogs.map((one) => ({ ...one, unknown: 1 })) };
		expect(understood(json)).not.toEqual(json);
	});
});
