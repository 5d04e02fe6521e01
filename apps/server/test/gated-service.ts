import { Agent, type IncomingMessage, request } from "node:http";
import { expect, onTestFinished } from "vitest";
import { listen } from "../src/http/listen";
import { runningService } from "./running-service";

/** The gate of a service, in front of a handler that answers when it is told to. */
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
	return {
		...service,
		port: listener.port,
		send,
		seen,
		arrived: (count: number) => expect.poll(() => seen.length).toBe(count),
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
