import { once } from "node:events";
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { notEmpty } from "../../../testing/not-empty";
import { listen } from "../src/http/listen";
import { type Answer, gated, times } from "./gated-service";
import { asManager, newTenant, newUser, runningService } from "./running-service";

const hosts = { BETTER_AUTH_URL: "https://auth.example.com", TENANT_DOMAIN: "example.com" };

/** The answers that come first. */
const firstOf = (count: number, sent: Promise<Answer>[]) =>
	new Promise<Answer[]>((resolve) => {
		const answers: Answer[] = [];
		for (const answer of sent) {
			answer.then((it) => answers.push(it) === count && resolve(answers));
		}
	});

/** Answers what arrives until all requests have their answer. */
async function finish(answerAll: () => void, ...sent: Promise<Answer>[]): Promise<Answer[]> {
	const timer = setInterval(answerAll, 10);
	const answers = await Promise.all(sent);
	clearInterval(timer);
	return answers;
}

test("a flood on one tenant is refused with 429, and another tenant gets in", async () => {
	const { send, arrived, giveUp, answerAll, seen, log } = await gated();
	const flood = times(20, () => send({ "x-tenant-id": "loud" }));
	await arrived(8);
	const other = send({ "x-tenant-id": "quiet" });
	await arrived(9);
	expect(seen.at(-1)).toBe("quiet");
	await giveUp(12);
	// Those that run have no answer yet.
	const [refused, ...others] = await firstOf(12, flood);
	expect(others.every(({ status }) => status === 429)).toBe(true);
	expect(refused?.status).toBe(429);
	expect(refused?.headers).toMatchObject({
		"retry-after": "1",
		"content-type": "application/json",
		"cache-control": "no-store",
		"x-request-id": expect.any(String),
	});
	expect(JSON.parse(refused?.text ?? "")).toMatchObject({ code: "TOO_MANY_CONCURRENT_REQUESTS" });
	await finish(answerAll, ...flood, other);
	// One line, not one per request.
	expect(log().match(/requests are refused/g)).toHaveLength(1);
});

test("a request that waits runs as soon as another one is answered", async () => {
	const { send, arrived, answerAll } = await gated();
	const flood = times(12, () => send({ "x-tenant-id": "loud" }));
	await arrived(8);
	answerAll();
	await arrived(12);
	const answers = await finish(answerAll, ...flood);
	expect(answers.every(({ status }) => status === 200)).toBe(true);
});

test("a tenant is known by its host", async () => {
	const { send, arrived, answerAll, seen } = await gated(hosts);
	const flood = times(20, () => send({ host: "loud.example.com" }));
	await arrived(8);
	// At its host, the header does not name another one.
	const alsoLoud = send({ host: "loud.example.com", "x-tenant-id": "quiet" });
	const other = send({ host: "quiet.example.com" });
	await arrived(9);
	expect(seen.at(-1)).toBe("quiet.example.com");
	await finish(answerAll, ...flood, alsoLoud, other);
});

test.each(["oauth2/token", "device/code", "jwks", "scim/v2/Users", "saml/acs"])(
	"a tenant is known by the path of its servers: %s",
	async (path) => {
		const { send, arrived, answerAll, seen } = await gated({});
		const flood = times(20, () => send({}, { path: `/t/loud/${path}` }));
		await arrived(8);
		// The header does not name another one there.
		const alsoLoud = send({ "x-tenant-id": "quiet" }, { path: `/t/loud/${path}` });
		const other = send({}, { path: `/t/quiet/${path}` });
		await arrived(9);
		expect(seen).toHaveLength(9);
		await finish(answerAll, ...flood, alsoLoud, other);
	},
);

test("a request that names no tenant counts for its address", async () => {
	const { send, arrived, answerAll, seen } = await gated({ TRUST_PROXY: "1" });
	const flood = times(20, () => send({ "x-forwarded-for": "192.0.2.1" }));
	await arrived(8);
	const other = send({ "x-forwarded-for": "192.0.2.2" });
	await arrived(9);
	expect(seen).toHaveLength(9);
	await finish(answerAll, ...flood, other);
});

test("a client that is gone leaves its place in the queue", async () => {
	const { send, arrived, untilWaiting, answerAll, seen } = await gated();
	const first = times(8, () => send({ "x-tenant-id": "loud" }));
	await arrived(8);
	const gone = new AbortController();
	const waiting = send({ "x-tenant-id": "loud" }, { signal: gone.signal });
	await untilWaiting(1);
	gone.abort();
	await expect(waiting).rejects.toThrow();
	await untilWaiting(0);
	await finish(answerAll, ...first);
	expect(seen).toHaveLength(8);
});

test("requests whose body does not come hold no place", async () => {
	const { arrived, answerAll, port, send, seen, backend } = await gated();
	const head =
		"POST / HTTP/1.1\r\nhost: localhost\r\nx-tenant-id: acme\r\ncontent-length: 2\r\n\r\n{";
	const sockets = times(40, () => connect(port, "127.0.0.1"));
	for (const socket of sockets) {
		onTestFinished(() => void socket.destroy());
		await once(socket, "connect");
		socket.write(head);
	}
	// From the same address, in the same tenant.
	const others = times(8, () => send({ "x-tenant-id": "acme" }, { body: "{}" }));
	await arrived(8);
	expect(seen).toEqual(times(8, () => "acme"));
	expect(await backend.metrics.text()).toContain('{state="running"} 8');
	// When the rest comes, they have their turn.
	sockets[0]?.write("}");
	const answers = await finish(answerAll, ...others);
	expect(answers.every(({ status }) => status === 200)).toBe(true);
	await arrived(9);
	answerAll();
});

test("the app gets the whole body, and refuses one that is too large", async () => {
	const { app, gate } = await runningService();
	const listener = await listen("127.0.0.1", 0);
	onTestFinished(() => listener.close());
	listener.serve(app.fetch as Parameters<typeof listener.serve>[0], gate);
	const create = async (init: RequestInit) => {
		const answer = await fetch(`http://127.0.0.1:${listener.port}/api/auth/tenant/create`, {
			method: "POST",
			headers: { "content-type": "application/json", connection: "close", ...asManager },
			...init,
		});
		return [answer.status, ((await answer.json()) as { name?: string }).name];
	};
	const name = "n".repeat(50);
	const bodyOf = (bytes: number) =>
		JSON.stringify({ name, slug: "acme", metadata: { text: "x".repeat(bytes) } });
	const chunked = (text: string) =>
		({ body: new Blob([text]).stream(), duplex: "half" }) as RequestInit;
	expect(await create({ body: bodyOf(2_000_000) })).toEqual([413, undefined]);
	expect(await create(chunked(bodyOf(2_000_000)))).toEqual([413, undefined]);
	expect(await create(chunked(bodyOf(1000)))).toEqual([200, name]);
});

test("a large body of a refused request is not read", async () => {
	const { send, arrived, giveUp, answerAll } = await gated();
	const flood = times(8, () => send({ "x-tenant-id": "loud" }));
	await arrived(8);
	const small = send({ "x-tenant-id": "loud" }, { body: "{}" });
	const large = send({ "x-tenant-id": "loud", "content-length": "2000000" });
	await giveUp(2);
	expect((await small).headers.connection).toBe("keep-alive");
	expect((await large).headers.connection).toBe("close");
	await finish(answerAll, ...flood);
});

const origin = "https://app.example.com";
const trusting = { TRUSTED_ORIGINS: origin };

/** What tells a browser who may read an answer. */
const crossOriginHeaders = (headers: Headers | Answer["headers"]) =>
	Object.entries(headers instanceof Headers ? Object.fromEntries(headers) : headers)
		.filter(([name]) => name.startsWith("access-control-") || name === "vary")
		.sort();

test.each([
	["a trusted origin", trusting, { origin }],
	["another origin", trusting, { origin: "https://evil.example" }],
	["no origin", trusting, {}],
	["an origin if none is trusted", {}, { origin }],
])("a refusal has the CORS headers of an answer: %s", async (_, environment, headers) => {
	const { send, arrived, giveUp, answerAll, call } = await gated(environment);
	const flood = times(8, () => send({ "x-tenant-id": "loud" }));
	await arrived(8);
	// The app answers both without Better Auth, which has more headers for caches.
	const paths = ["/api/auth//", "/healthz"];
	const asked = paths.map((path) =>
		send({ ...headers, "x-tenant-id": "loud" }, { method: "GET", path }),
	);
	await giveUp(asked.length);
	const refusals = await Promise.all(asked);
	await finish(answerAll, ...flood);
	for (const [index, path] of notEmpty(paths.entries())) {
		const answered = await call(path, { headers });
		const refused = refusals[index] as Answer;
		expect(refused.status).toBe(429);
		expect(crossOriginHeaders(refused.headers)).toEqual(crossOriginHeaders(answered.headers));
	}
});

test.each([
	[204, "a trusted origin", { origin }],
	[429, "another origin", { origin: "https://evil.example" }],
])("a preflight that has no place gets %d if it is from %s", async (status, _, from) => {
	const { send, arrived, giveUp, answerAll, call } = await gated(trusting);
	// A preflight names no tenant.
	const flood = times(8, () => send({}));
	await arrived(8);
	const path = "/api/auth/sign-in/email";
	const method = "OPTIONS";
	const headers = {
		...from,
		"access-control-request-method": "POST",
		"access-control-request-headers": "content-type,x-tenant-id",
	};
	const asked = send(headers, { method, path });
	await giveUp(1);
	const refused = await asked;
	await finish(answerAll, ...flood);
	expect(refused.status).toBe(status);
	const answered = await call(path, { method, headers });
	expect(crossOriginHeaders(refused.headers)).toEqual(crossOriginHeaders(answered.headers));
});

test("metrics tell what runs, what waits and what was refused", async () => {
	const { send, arrived, untilWaiting, giveUp, answerAll, backend } = await gated();
	const flood = times(9, () => send({ "x-tenant-id": "loud" }));
	await arrived(8);
	await untilWaiting(1);
	const text = await backend.metrics.text();
	expect(text).toContain('http_requests_in_progress{state="running"} 8');
	await giveUp(1);
	expect((await Promise.any(flood)).status).toBe(429);
	expect(await backend.metrics.text()).toContain('http_requests_refused_total{status="429"} 1');
	await finish(answerAll, ...flood);
});

test("users sign in through the gate", async () => {
	const { post, app, gate } = await runningService();
	const tenantId = await newTenant(post);
	const listener = await listen("127.0.0.1", 0);
	onTestFinished(() => listener.close());
	listener.serve(app.fetch as Parameters<typeof listener.serve>[0], gate);
	const answer = await fetch(`http://127.0.0.1:${listener.port}/api/auth/tenant/sign-up/email`, {
		method: "POST",
		headers: { "content-type": "application/json", "x-tenant-id": tenantId, ...asManager },
		body: JSON.stringify(newUser("ada@example.com")),
	});
	expect(answer.status).toBe(200);
});
