import type { IncomingMessage } from "node:http";
import { PassThrough } from "node:stream";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type BodyReading, bodyReader } from "../src/http/request-body";

beforeEach(() => {
	vi.useFakeTimers();
});
afterEach(() => {
	expect(vi.getTimerCount()).toBe(0);
	vi.useRealTimers();
});

/** A request whose body comes when the test writes it. */
function newRequest(read: ReturnType<typeof bodyReader>, address: string | null = "192.0.2.1") {
	const stream = new PassThrough();
	const incoming = Object.assign(stream, {
		method: "POST",
		headers: { "transfer-encoding": "chunked" },
	}) as unknown as IncomingMessage & { rawBody?: Buffer };
	let reading: BodyReading | null = null;
	void read(incoming, address).then((it) => {
		reading = it;
	});
	return {
		incoming,
		write: async (text: string) => {
			stream.write(text);
			await vi.advanceTimersByTimeAsync(1);
		},
		end: async () => {
			stream.end();
			await vi.advanceTimersByTimeAsync(1);
		},
		state: () => (reading ? (reading.refusal ?? "there") : "coming"),
		release: () => reading?.release(),
	};
}

test("a body is there when all of it has come", async () => {
	const request = newRequest(bodyReader());
	await request.write("{");
	expect(request.state()).toBe("coming");
	await request.write("}");
	await request.end();
	expect(request.state()).toBe("there");
	expect(request.incoming.rawBody?.toString()).toBe("{}");
});

test("a body that does not come in time is given up, also if a little comes all the time", async () => {
	const read = bodyReader();
	const [idle, slow] = [newRequest(read), newRequest(read)];
	for (let second = 0; second < 14; second += 1) {
		await vi.advanceTimersByTimeAsync(1000);
		await slow.write("x");
	}
	expect([idle.state(), slow.state()]).toEqual(["coming", "coming"]);
	await vi.advanceTimersByTimeAsync(1000);
	expect([idle.state(), slow.state()]).toEqual(["too slow", "too slow"]);
});

test("if there is no room, the address with the most bytes loses a body", async () => {
	const read = bodyReader({ maxTotalBytes: 100 });
	const quiet = newRequest(read, "192.0.2.2");
	await quiet.write("x".repeat(20));
	const loud = [newRequest(read), newRequest(read), newRequest(read)];
	for (const request of loud) await request.write("x".repeat(30));
	expect(loud.map(({ state }) => state())).toEqual(["coming", "coming", "no room"]);
	await quiet.write("x".repeat(20));
	await quiet.end();
	expect(quiet.state()).toBe("there");
	for (const request of loud) await request.end();
	expect(loud.map(({ state }) => state())).toEqual(["there", "there", "no room"]);
	// Until they are answered, their bodies need room.
	const late = newRequest(read);
	await late.write("x");
	expect(late.state()).toBe("no room");
	for (const { release } of loud) release();
	const next = newRequest(read);
	await next.write("x".repeat(60));
	await next.end();
	expect(next.state()).toBe("there");
});

test("a request without a body waits for nothing", async () => {
	const incoming = { method: "POST", headers: {} } as IncomingMessage;
	expect(await bodyReader()(incoming, null)).toMatchObject({ refusal: null });
});
