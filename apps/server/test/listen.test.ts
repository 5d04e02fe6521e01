import { once } from "node:events";
import { Agent, get } from "node:http";
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { freePort } from "../../../testing/ports";
import { listen } from "../src/http/listen";
import { startServer } from "../src/server";
import { readSettings } from "../src/settings/settings";
import { temporaryDirectory } from "./temporary-directory";

async function listening() {
	const listener = await listen("127.0.0.1", 0);
	onTestFinished(() => listener.close());
	return { listener, url: `http://127.0.0.1:${listener.port}` };
}

test("a request that arrives before the server is ready gets 503 and a Retry-After header", async () => {
	const { listener, url } = await listening();
	const early = await fetch(url);
	expect(early.status).toBe(503);
	expect(early.headers.get("retry-after")).toBe("1");
	expect(await early.json()).toMatchObject({ code: "SERVICE_UNAVAILABLE" });

	listener.serve(() => new Response("ready"));
	expect(await (await fetch(url)).text()).toBe("ready");
});

test("closing waits for a running request, but not for an idle connection", async () => {
	const { listener, url } = await listening();
	let respond = (_: Response) => {};
	const received = new Promise<void>((resolve) => {
		listener.serve(() => {
			resolve();
			return new Promise((resolveResponse) => {
				respond = resolveResponse;
			});
		});
	});
	// A client that keeps its connection open as long as possible.
	const agent = new Agent({ keepAlive: true });
	onTestFinished(() => agent.destroy());
	const status = new Promise((resolve) =>
		get(url, { agent }, (response) => resolve(response.resume().statusCode)),
	);
	await received;
	let closed = false;
	const closing = listener.close().then(() => {
		closed = true;
	});
	await new Promise((resolve) => setTimeout(resolve, 100));
	expect(closed).toBe(false);
	respond(new Response("late"));
	expect(await status).toBe(200);
	await closing;
});

test("a client that announces a body for GET, and never sends it, does not keep its connection", async () => {
	const { listener } = await listening();
	listener.serve(() => new Response("read"));
	const socket = connect(listener.port, "127.0.0.1");
	onTestFinished(() => void socket.destroy());
	socket.write("GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n");
	let received = "";
	socket.on("data", (data) => {
		received += data;
	});
	await once(socket, "close");
	expect(received).toMatch(/^HTTP\/1\.1 200 OK.*read$/s);
});

test.each([
	["0.0.0.0", /^http:\/\/127\.0\.0\.1:\d+$/],
	["localhost", /^http:\/\/localhost:\d+$/],
])("a server on %s can be reached at its local URL", async (host, expected) => {
	const environment = {
		HOST: host,
		PORT: "0",
		DATA_DIR: temporaryDirectory(),
		LOG_LEVEL: "silent",
	};
	const server = await startServer(readSettings(environment, "/"));
	onTestFinished(() => server.close());
	expect(server.localUrl).toMatch(expected);
	expect(server.baseUrl).toMatch(/^http:\/\/localhost:\d+$/);
	const response = await fetch(`${server.localUrl}/api/auth/ok`);
	expect(await response.json()).toEqual({ ok: true });
});

test("an idle connection stays open for longer than load balancers keep theirs", async () => {
	const { url } = await listening();
	expect((await fetch(url)).headers.get("keep-alive")).toBe("timeout=75");
});

test("while it drains, it still answers but keeps no connection alive", async () => {
	const { listener, url } = await listening();
	listener.serve(() => new Response("still here"));
	expect((await fetch(url)).headers.get("connection")).toBe("keep-alive");
	let endDrain = () => {};
	const closing = listener.close(
		new Promise<void>((resolve) => {
			endDrain = resolve;
		}),
	);
	const response = await fetch(url);
	expect(await response.text()).toBe("still here");
	expect(response.headers.get("connection")).toBe("close");
	endDrain();
	await closing;
	await expect(fetch(url)).rejects.toThrow();
});

test("a start that fails after the port was bound releases the port", async () => {
	// Not one that the system gives to another test meanwhile.
	const port = await freePort();
	const environment = { PORT: String(port), DATA_DIR: "/dev/null/data" };
	await expect(startServer(readSettings(environment, "/"))).rejects.toThrow("DATA_DIR");
	const again = await listen("127.0.0.1", port);
	await again.close();
});
