import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { listen } from "../src/http/listen";
import { runningService } from "./running-service";

test.each(["/api/auth/sign-in/email", "/api/auth/tenant/sign-in/email", "/api/auth/tenant/create"])(
	"a body of %s that the client cuts off is not an error of the server",
	async (path) => {
		const { app, gate, logged, backend } = await runningService();
		const listener = await listen("127.0.0.1", 0);
		onTestFinished(() => listener.close());
		listener.serve(app.fetch as Parameters<typeof listener.serve>[0], gate);
		const socket = connect(listener.port, "127.0.0.1");
		await once(socket, "connect");
		const lines = [
			`POST ${path} HTTP/1.1`,
			"host: localhost:3000",
			"content-type: application/json",
			"content-length: 100",
		];
		socket.write(`${lines.join("\r\n")}\r\n\r\n{"email":`);
		// The next request is read after it.
		const url = `http://127.0.0.1:${listener.port}/api/auth/get-session`;
		await fetch(url, { headers: { host: "localhost:3000" } });
		socket.destroy();
		await fetch(url);
		// It never became a request: its body was not there.
		await expect.poll(() => logged().filter(({ msg }) => msg === "request")).toHaveLength(2);
		expect(logged().map(({ route }) => route)).not.toContain(path);
		expect(logged().filter(({ level }) => level === "error")).toEqual([]);
		const text = await backend.metrics.text();
		expect(text).toContain('{state="running"} 0');
		expect(text).not.toContain('status="5xx"');
	},
);

test.each(["/api/auth/get-session", "/t/acme/scim/v2/Users", "/t/acme/oauth2/token"])(
	"TRACE of %s is not an error of the server",
	async (path) => {
		const { app, gate, logged } = await runningService({ SCIM: "true" });
		const listener = await listen("127.0.0.1", 0);
		onTestFinished(() => listener.close());
		listener.serve(app.fetch as Parameters<typeof listener.serve>[0], gate);
		const headers = { host: "localhost:3000" };
		const sent = request({
			port: listener.port,
			host: "127.0.0.1",
			method: "TRACE",
			path,
			headers,
		});
		sent.end();
		const [response] = await once(sent, "response");
		response.resume();
		expect(response.statusCode).toBe(405);
		expect(logged().filter(({ level }) => level === "error")).toEqual([]);
	},
);
