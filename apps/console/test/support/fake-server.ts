import { onTestFinished } from "vitest";
import type { Answer } from "./answers";

type SentRequest = {
	/** Method and path, without `/api/auth`: `GET /tenant/list`. */
	name: string;
	query: Record<string, string>;
	body: unknown;
	headers: Headers;
};

/** An answer, or a function of the request where the answer depends on it. */
type Handler = Answer | ((request: SentRequest) => ReturnType<Answer>);

/** Handlers by method and path: `{ "GET /tenant/list": list([acme]) }`. */
export type Handlers = Record<string, Handler>;

export type FakeServer = {
	/** All requests, in their order. */
	readonly requests: SentRequest[];
	/** The requests with this name. */
	sent: (name: string) => SentRequest[];
	/** From now on, the service answers differently. */
	answer: (handlers: Handlers) => void;
};

const LATENCY_MS = 1;

/** The service, for one test. A request that it does not know fails the test. */
export function fakeServer(handlers: Handlers): FakeServer {
	const table = new Map(Object.entries(handlers));
	const requests: SentRequest[] = [];
	const unknown = new Set<string>();
	const realFetch = globalThis.fetch;

	globalThis.fetch = async (input, init) => {
		const request = toSentRequest(input, init);
		requests.push(request);
		const handler = table.get(request.name);
		if (!handler) unknown.add(request.name);
		// As in a browser, the page renders before the answer is there.
		await new Promise((resolve) => setTimeout(resolve, LATENCY_MS));
		return handler ? handler(request) : new Response(null, { status: 404 });
	};

	onTestFinished(() => {
		globalThis.fetch = realFetch;
		if (unknown.size > 0) {
			throw new Error(`The fake server has no handler for: ${[...unknown].join(", ")}`);
		}
	});

	return {
		requests,
		sent: (name) => requests.filter((request) => request.name === name),
		answer: (changed) => {
			for (const [name, handler] of Object.entries(changed)) table.set(name, handler);
		},
	};
}

function toSentRequest(input: RequestInfo | URL, init: RequestInit = {}): SentRequest {
	const url = new URL(input instanceof Request ? input.url : input, location.href);
	const method = init.method ?? "GET";
	const { body } = init;
	return {
		name: `${method.toUpperCase()} ${url.pathname.replace(/^\/api\/auth(?=\/)/, "")}`,
		query: Object.fromEntries(url.searchParams),
		body: typeof body === "string" ? JSON.parse(body) : body,
		headers: new Headers(init.headers),
	};
}
