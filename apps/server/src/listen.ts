import { createServer, type Server } from "node:http";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { StartError } from "./start-error";

/** How long a stop waits for requests that are under way. */
const graceMs = 10_000;

export type Listener = {
	/** The port that is bound, also when 0 was asked for. */
	port: number;
	/** Hands requests to `handler`; those that came earlier were told to try again. */
	serve: (handler: Handler) => void;
	/**
	 * Takes no new connections, lets requests finish, and cuts off what is left after a while. Before
	 * that, as long as `farewell` lasts, it goes on answering, but keeps no connection.
	 */
	close: (farewell?: Promise<unknown>) => Promise<void>;
};

type Handler = (request: Request, bindings: HttpBindings) => Promise<Response> | Response;

/**
 * Binds an address.
 *
 * @throws StartError when that is not possible
 */
export async function listen(host: string, port: number): Promise<Listener> {
	let handle: Handler = notReadyYet;
	let stopping = false;
	const server = createServer(
		getRequestListener((request, bindings) => {
			const { outgoing } = bindings as HttpBindings;
			// Whoever calls again should find another server.
			if (stopping) outgoing.shouldKeepAlive = false;
			return handle(request, bindings as HttpBindings);
		}),
	);
	await bind(server, host, port);
	const address = server.address();
	return {
		port: typeof address === "object" && address ? address.port : port,
		serve: (handler) => {
			handle = handler;
		},
		close: async (farewell) => {
			stopping = true;
			await farewell;
			await close(server);
		},
	};
}

function notReadyYet(): Response {
	const body = { code: "SERVICE_UNAVAILABLE", message: "The server is starting" };
	return Response.json(body, { status: 503, headers: { "Retry-After": "1" } });
}

async function bind(server: Server, host: string, port: number): Promise<void> {
	await new Promise<void>((resolve, reject) => {
		server.once("error", (error) => reject(refusal(error, host, port)));
		server.listen(port, host, resolve);
	});
}

function refusal(cause: NodeJS.ErrnoException, host: string, port: number): StartError {
	switch (cause.code) {
		case "EADDRINUSE":
			return new StartError(`PORT ${port} is already in use on ${host}.`, { cause });
		case "EACCES":
			return new StartError(`PORT ${port} may not be used by this user.`, { cause });
		default:
			return new StartError(`HOST ${host} cannot be listened on (${cause.code}).`, { cause });
	}
}

async function close(server: Server): Promise<void> {
	const closed = new Promise((resolve) => server.close(resolve));
	// A connection that is busy now would be kept alive for seconds after its answer.
	const sweep = setInterval(() => server.closeIdleConnections(), 50);
	const deadline = setTimeout(() => server.closeAllConnections(), graceMs);
	await closed;
	clearInterval(sweep);
	clearTimeout(deadline);
}
