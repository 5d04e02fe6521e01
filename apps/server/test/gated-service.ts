import { Agent, type IncomingMessage, request } from "node:http";
import { expect, onTestFinished, vi } from "vitest";
import { listen } from "../src/http/listen";
import { runningService } from "./running-service";

/** No request waits longer for its turn. */
const LONGEST_WAIT_MS = 2000;

/**
 * The gate of a service, in front of a handler that answers when it is told to. Its clock stands still. On a busy
 * machine, requests that wait would give up before anybody has looked, and fewer would run, because the event loop
 * is late.
 */
export async function gated(environment: Record<string, string> = {}) {
	const service = await runningService({ MAX_CONCURRENT_REQUESTS: "8", ...environment });
	const listener = await listen("127.0.0.1", 0);
	onTestFinished(() => listener.close());
	const pending: (() => void)[] = [];
	const seen: string[] = [];
	listener.serve(({ headers }) => {
		seen.push(headers.get("x-tenant-id") ?? headers.get("host") ?? "");
		return new Promise((resolve) => pending.push(() => resolve(new Response("done"))));
	}, service.gate);
	const agent = new Agent({ keepAlive: true });
	onTestFinished(() => agent.destroy());
	vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
	onTestFinished(() => void vi.useRealTimers());

	const send = (headers: Record<string, string>, { body = "", ...more }: Sent = {}) =>
		new Promise<Answer>((resolve, reject) => {
			const options = { agent, port: listener.port, host: "127.0.0.1", method: "POST" };
			const sent = request({ ...options, headers, ...more }, async (incoming) => {
				const chunks = await incoming.toArray();
				const text = Buffer.concat(chunks).toString();
				resolve({ status: incoming.statusCode, headers: incoming.headers, text });
			});
			sent.on("error", reject).end(body);
		});
	const countWaiting = async () => {
		const text = await service.backend.metrics.text();
		return Number(/http_requests_in_progress\{state="waiting"\} (\d+)/.exec(text)?.[1]);
	};
	const untilWaiting = (count: number) => expect.poll(countWaiting).toBe(count);
	return {
		...service,
		port: listener.port,
		send,
		seen,
		arrived: (count: number) => expect.poll(() => seen.length).toBe(count),
		untilWaiting,
		/** Lets all requests give up that wait for their turn, when they are so many. */
		giveUp: async (count: number) => {
			await untilWaiting(count);
			await vi.advanceTimersByTimeAsync(LONGEST_WAIT_MS);
		},
		answerAll: () => {
			for (const answer of pending.splice(0)) answer();
		},
	};
}

type Sent = { body?: string; signal?: AbortSignal; method?: string; path?: string };

export type Answer = {
	status: number | undefined;
	headers: IncomingMessage["headers"];
	text: string;
};

export const times = <T>(count: number, make: () => T) => Array.from({ length: count }, make);
