import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type { StreamEvent } from "../../src/event-stream/event";

type Received = { path: string; headers: IncomingHttpHeaders; text: string };

type Respond = (response: ServerResponse, received: Received) => unknown;

export const withStatus =
	(status: number, body = "", headers: Record<string, string> = {}): Respond =>
	(response) =>
		response.writeHead(status, headers).end(body);

export const ok = withStatus(200, "{}");

/** A log collector that responds as a test says. It has what it has responded to with 2xx. */
export async function startCollector(respond: Respond = ok) {
	const received: Received[] = [];
	const taken: Received[] = [];
	const state = { respond };
	const server = createServer(async (request, response) => {
		let text = "";
		for await (const chunk of request) text += chunk;
		const one = { path: String(request.url), headers: request.headers, text };
		received.push(one);
		response.on("finish", () => {
			if (response.statusCode < 300) taken.push(one);
		});
		await state.respond(response, one);
	}).listen(0, "127.0.0.1");
	await once(server, "listening");
	onTestFinished(() => {
		server.close();
		server.closeAllConnections();
	});
	const { port } = server.address() as AddressInfo;
	return {
		origin: `http://127.0.0.1:${port}`,
		url: `http://127.0.0.1:${port}/v1/logs`,
		/** All requests. */
		received,
		/** The events of the requests that it took. */
		events: () => taken.flatMap(({ text }) => JSON.parse(text) as StreamEvent[]),
		respondWith: (next: Respond) => {
			state.respond = next;
		},
	};
}

export type Collector = Awaited<ReturnType<typeof startCollector>>;

export const jsonStream = ({ url }: Collector): Record<string, string> => ({
	EVENT_STREAM_URL: url,
	EVENT_STREAM_FORMAT: "json",
});
