import { createServer, type IncomingMessage, type Server } from "node:http";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { StartError } from "../settings/start-error";
import type { RequestGate } from "./request-gate";

/** How long a stopping server waits for running requests. */
const REQUESTS_TIMEOUT_MS = 10_000;

/** The upload of a tenant's file takes as long as its import. Other bodies have limits of their own. */
const LONGEST_REQUEST_MS = 6 * 60 * 60 * 1000;

/**
 * Longer than load balancers keep an idle connection (AWS: 60 seconds). Otherwise, one could send a request on a
 * connection that the server is closing.
 */
const IDLE_CONNECTION_MS = 75_000;

export type Listener = {
	/** The port that is bound, also for `PORT=0`. */
	port: number;
	/**
	 * Passes requests to `handler`, if there is a gate through that. Earlier requests get 503 and a
	 * `Retry-After`.
	 */
	serve: (handler: Handler, gate?: RequestGate) => void;
	/**
	 * Stops accepting connections, finishes running requests, and closes the remaining connections after
	 * a timeout. Until `drain` resolves, it still handles requests, but keeps no connection alive.
	 */
	close: (drain?: Promise<unknown>) => Promise<void>;
};

type Handler = (request: Request, bindings: HttpBindings) => Promise<Response> | Response;

/** @throws StartError if the port cannot be bound */
export async function listen(host: string, port: number): Promise<Listener> {
	let handle: Handler = respondNotReady;
	let pass: RequestGate = (_incoming, _outgoing, run) => run();
	let stopping = false;
	const listener = getRequestListener((request, bindings) =>
		handle(request, bindings as HttpBindings),
	);
	const timeouts = { requestTimeout: LONGEST_REQUEST_MS, keepAliveTimeout: IDLE_CONNECTION_MS };
	const server = createServer(timeouts, (incoming, outgoing) => {
		// The next request of this client should go to another server.
		if (stopping || isReadWithBody(incoming)) outgoing.shouldKeepAlive = false;
		void pass(incoming, outgoing, () => listener(incoming, outgoing));
	});
	await bind(server, host, port);
	const address = server.address();
	return {
		port: typeof address === "object" && address ? address.port : port,
		serve: (handler, gate = pass) => {
			handle = handler;
			pass = gate;
		},
		close: async (drain) => {
			stopping = true;
			await drain;
			await close(server);
		},
	};
}

/** Nobody reads this body. The HTTP adapter ends the connection of an unread body for other methods only. */
const isReadWithBody = ({ method, headers }: IncomingMessage): boolean =>
	(method === "GET" || method === "HEAD") &&
	(headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0);

function respondNotReady(): Response {
	const body = { code: "SERVICE_UNAVAILABLE", message: "The server is starting" };
	return Response.json(body, { status: 503, headers: { "Retry-After": "1" } });
}

async function bind(server: Server, host: string, port: number): Promise<void> {
	await new Promise<void>((resolve, reject) => {
		server.once("error", (error) => reject(bindError(error, host, port)));
		server.listen(port, host, resolve);
	});
}

function bindError(cause: NodeJS.ErrnoException, host: string, port: number): StartError {
	switch (cause.code) {
		case "EADDRINUSE":
			return new StartError(`PORT ${port} is already in use on ${host}.`, { cause });
		case "EACCES":
			return new StartError(`PORT ${port} is not allowed for this user.`, { cause });
		default:
			return new StartError(`HOST ${host} cannot be used (${cause.code}).`, { cause });
	}
}

async function close(server: Server): Promise<void> {
	const closed = new Promise((resolve) => server.close(resolve));
	// Otherwise a connection that is busy now would stay alive for seconds after its response.
	const idleCheck = setInterval(() => server.closeIdleConnections(), 50);
	const timeout = setTimeout(() => server.closeAllConnections(), REQUESTS_TIMEOUT_MS);
	await closed;
	clearInterval(idleCheck);
	clearTimeout(timeout);
}
