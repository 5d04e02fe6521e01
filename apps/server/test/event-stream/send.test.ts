import { describe, expect, test } from "vitest";
import { readRetryAfter, send } from "../../src/event-stream/send";
import { startCollector } from "./collector";

const HOST = "auth.example.com";

test("a collector that does not respond, or not to the end, is left in time", async () => {
	const collector = await startCollector(() => {});
	const stream = { url: collector.url, format: "otlp" as const, headers: {}, secret: null };
	await expect(send(stream, [], HOST, 100)).rejects.toThrow("did not respond in time");
	collector.respondWith((response) => response.writeHead(200).write("{"));
	await expect(send(stream, [], HOST, 100)).rejects.toThrow("did not respond in time");
	collector.respondWith((response) => setTimeout(() => response.end("{}"), 50));
	expect(await send(stream, [], HOST)).toMatchObject({ kind: "accepted" });
});

test("a port where nobody listens is a failure, with the cause for the log", async () => {
	const stream = { url: "http://127.0.0.1:1/", format: "json" as const, headers: {}, secret: null };
	const error = await send(stream, [], HOST).catch((thrown: unknown) => thrown);
	expect(error).toMatchObject({ message: "The collector cannot be reached" });
	expect(String((error as Error).cause)).toContain("fetch failed");
});

describe("Retry-After", () => {
	const now = Date.parse("2026-11-18T10:00:00Z");
	test.each([
		["seconds", "30", 30_000],
		["a date", "Wed, 18 Nov 2026 10:02:00 GMT", 120_000],
		["a date in the past", "Wed, 18 Nov 2026 09:00:00 GMT", 0],
		["at most an hour", "999999", 3_600_000],
		["nothing", null, null],
		["something else", "soon", null],
	])("can be %s", (_, text, expected) => {
		expect(readRetryAfter(text, now)).toBe(expected);
	});
});
