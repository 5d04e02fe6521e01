import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Server } from "node:http";
import { afterAll, beforeAll } from "vitest";

const NODE_DEFAULT_MS = 5_000;

/**
 * The servers of tests do not close idle connections. By default they do after five seconds, and `fetch` uses a
 * connection for four. In one busy process both are late: then a request is sent on a connection that is
 * closing, and fails.
 */
const keepOpen = (message: unknown): void => {
	const { server } = message as { server: Server };
	if (server.keepAliveTimeout === NODE_DEFAULT_MS) server.keepAliveTimeout = 0;
};

beforeAll(() => subscribe("http.server.request.start", keepOpen));
afterAll(() => {
	unsubscribe("http.server.request.start", keepOpen);
});
