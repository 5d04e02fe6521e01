import { once } from "node:events";
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { listen } from "../src/http/listen";
import { newSlug, newTenant, newUser, useService } from "./running-service";

const running = useService({
	BETTER_AUTH_URL: "https://auth.example.com",
	TENANT_DOMAIN: "example.com",
});

/** The service on a socket, for requests that no HTTP client would send. */
async function onSocket() {
	const service = await running();
	const listener = await listen("127.0.0.1", 0);
	onTestFinished(() => listener.close());
	listener.serve(service.app.fetch as Parameters<typeof listener.serve>[0]);

	/** Sends the request line and headers unchanged, and returns the whole response. */
	const send = async (lines: string[], body = "") => {
		const socket = connect(listener.port, "127.0.0.1");
		let answer = "";
		socket.on("data", (data) => {
			answer += data;
		});
		const length = `content-length: ${body.length}`;
		socket.write([...lines, length, "connection: close", "", body].join("\r\n"));
		await once(socket, "close");
		return answer;
	};
	return { ...service, send };
}

const statusOf = (answer: string) => Number(answer.split(" ")[1]);

test("the request line and the Host header, which links use, must name the same host", async () => {
	const { send, post, backend } = await onSocket();
	const acme = await newTenant(post, newSlug());
	const user = newUser("ada@example.com");
	await post("/tenant/sign-up/email", user, { "x-tenant-id": acme });
	const answer = await send(
		[
			"POST http://auth.example.com/api/auth/request-password-reset HTTP/1.1",
			"host: evil.example.com",
			`x-tenant-id: ${acme}`,
			"content-type: application/json",
		],
		JSON.stringify({ email: user.email }),
	);
	expect(statusOf(answer)).toBe(400);
	expect(answer).toContain('"code":"HOST_MISMATCH"');
	expect(await backend.mailer.outbox?.list()).toEqual([]);
});

test.each([
	["/api/auth/ok", "auth.example.com", 200],
	["/api/auth/ok", "AUTH.example.com", 200],
	["/api/auth/ok", "auth.example.com:443", 200],
	// The port of another URL than BETTER_AUTH_URL.
	["/api/auth/ok", "auth.example.com:3000", 404],
	["http://auth.example.com/api/auth/ok", "auth.example.com", 200],
	["http://auth.example.com/api/auth/ok", "Auth.Example.Com", 200],
	["http://AUTH.example.com:80/api/auth/ok", "auth.example.com", 200],
	["http://auth.example.com/api/auth/ok", "auth.example.com:80", 404],
	["https://auth.example.com/api/auth/ok", "auth.example.com:443", 200],
	["https://auth.example.com/api/auth/ok", "auth.example.com:80", 400],
	["http://auth.example.com/api/auth/ok", "auth.example.com:8080", 400],
	["http://auth.example.com/api/auth/ok", "auth.example.com.", 400],
	["http://auth.example.com/api/auth/ok", "x@auth.example.com", 400],
	["http://auth.example.com/api/auth/ok", "auth.example.com/x", 400],
	["http://auth.example.com/api/auth/ok", "auth.example.com\r\nhost: evil.example.com", 400],
	["http://auth.example.com/api/auth/ok", "", 400],
	["http://x@auth.example.com/api/auth/ok", "auth.example.com", 400],
	// Not a host for a URL.
	["/api/auth/ok", "ac^me.example.com", 400],
	["/healthz", "ac^me.example.com", 400],
	// Not Punycode: not a host for a URL before Node 24, and an unknown host since then.
	["/api/auth/ok", "xn--acme.example.com", URL.canParse("http://xn--acme") ? 404 : 400],
	["/healthz", "xn--acme.example.com", URL.canParse("http://xn--acme") ? 200 : 400],
	["http://auth.example.com/healthz", "acme.example.com", 400],
	["http://auth.example.com/console", "acme.example.com", 400],
])("%s with the host %j gets %i", async (target, host, status) => {
	const { send } = await onSocket();
	expect(statusOf(await send([`GET ${target} HTTP/1.1`, `host: ${host}`]))).toBe(status);
});

test("the default port in the Host header of a tenant changes nothing", async () => {
	const { send, post } = await onSocket();
	await newTenant(post, "acme");
	for (const host of ["acme.example.com", "acme.example.com:443", "ACME.example.com:443"]) {
		const answer = await send(["GET /api/auth/ok HTTP/1.1", `host: ${host}`]);
		expect([host, statusOf(answer)]).toEqual([host, 200]);
	}
	const another = await send(["GET /api/auth/ok HTTP/1.1", "host: acme.example.com:8443"]);
	expect(statusOf(another)).toBe(404);
});

test("x-forwarded-host is ignored", async () => {
	const { send } = await onSocket();
	const forwarded = "x-forwarded-host: evil.example.com";
	const answer = await send(["GET /api/auth/ok HTTP/1.1", "host: auth.example.com", forwarded]);
	expect(statusOf(answer)).toBe(200);
});

test("a method that no Request can have gets 405", async () => {
	const { send } = await onSocket();
	for (const path of ["/api/auth/tenant/list", "/api/auth/ok"]) {
		const answer = await send([`TRACE ${path} HTTP/1.1`, "host: auth.example.com"]);
		expect([path, statusOf(answer)]).toEqual([path, 405]);
	}
});
