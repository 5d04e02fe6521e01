// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import type { EventStream } from "../../../src/operator/api/service";
import { json } from "../../support/answers";
import { eventStream, serviceJobs } from "../../support/fixtures/service-state";
import { openConsole } from "../../support/open-console";
import { allByRole, findTexts, textOf } from "../../support/screen";

const open = (stream: EventStream | null) =>
	openConsole("/service", {
		"GET /service/jobs": json({ ...serviceJobs, eventStream: stream }),
	});

const waiting = { ...eventStream, waiting: 1200, oldest: "2026-11-17T11:59:00.000Z" };

describe("the event stream", () => {
	test("has sent everything", async () => {
		await open(eventStream);
		await findTexts(
			"Log collector https://collector.example.com:4318",
			"Format OpenTelemetry (OTLP)",
			"State Everything is sent",
		);
		expect(textOf(document.body)).not.toContain("Waiting events");
	});

	test("is sending", async () => {
		await open({ ...waiting, format: "json", lagSeconds: 60 });
		await findTexts("Format JSON", "State Sending", "Waiting events 1,200", "The oldest is from");
	});

	test("is late, and says that nothing is lost", async () => {
		await open({ ...waiting, lagSeconds: 900 });
		await findTexts("State Late", "Events stay until the collector takes them.");
	});

	test("is not shown without a log collector", async () => {
		await open(null);
		await findTexts("Audit log Kept forever");
		expect(allByRole("heading", "Event stream")).toEqual([]);
	});
});
