import { Redis } from "ioredis";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { movedClock } from "../../../testing/moved-clock";
import { services } from "../../../testing/services";
import { breakableConnection } from "./breakable-connection";
import { newJar, tenantWithUser } from "./cookie-jar";
import { newOperator } from "./operator-accounts";
import { asManager, cookiesOf, newIp, newTenant, newUser, runningService } from "./running-service";
import { temporaryDirectory } from "./temporary-directory";

const url = services.redis ?? "redis://127.0.0.1:6379";

/** A prefix whose keys are deleted after the test. */
async function ownPrefix(): Promise<string> {
	const prefix = `tenant-server-${Math.random().toString(36).slice(2)}:`;
	onTestFinished(async () => {
		const redis = new Redis(url);
		const keys = await redis.keys(`${prefix}*`);
		if (keys.length > 0) await redis.del(...keys);
		await redis.quit();
	});
	return prefix;
}

describe.skipIf(!services.redis)("the service with Redis", () => {
	test("all servers share their rate limits", async () => {
		const environment = { REDIS_URL: url, RATE_LIMIT_SIGN_IN: "3/90000" };
		const redisPrefix = await ownPrefix();
		const one = await runningService(environment, { redisPrefix });
		const two = await runningService(environment, { redisPrefix });
		const ip = newIp();
		const attempt = async ({ post }: typeof one) => {
			const body = { email: "a@b.co", password: "wrong password" };
			return (await post("/sign-in/email", body, {}, ip)).status;
		};
		expect(await attempt(one)).toBe(401);
		expect(await attempt(two)).toBe(401);
		expect(await attempt(one)).toBe(401);
		expect(await attempt(two)).toBe(429);
		expect(await attempt(one)).toBe(429);
	});

	test("a new role counts at once, and a reset or removal ends an operator's sessions", async () => {
		const environment = { REDIS_URL: url, DATA_DIR: temporaryDirectory() };
		const redisPrefix = await ownPrefix();
		const one = await runningService(environment, { redisPrefix });
		const two = await runningService(environment, { redisPrefix });
		const ada = await newOperator(one, "owner", "ada@example.com");
		const grace = await newOperator(one, "operator", "grace@example.com");
		const wrong = { name: "ci", scopes: ["nothing"] };
		const tryAsOwner = async ({ headers }: typeof ada) =>
			(await two.post("/operator/key/create", wrong, headers)).status;
		expect([await tryAsOwner(ada), await tryAsOwner(grace)]).toEqual([400, 403]);
		const change = (path: string, body: object) => one.post(`/operator/${path}`, body, asManager);
		await change("update", { userId: grace.id, role: "owner" });
		expect(await tryAsOwner(grace)).toBe(400);
		await change("reset", { userId: ada.id });
		await change("remove", { userId: grace.id });
		for (const { headers } of [ada, grace]) {
			expect((await two.call("/api/auth/operator/me", { headers })).status).toBe(403);
		}
	});

	test("a browser holds sessions of several tenants, and signs out of one", async () => {
		const running = await runningService({ REDIS_URL: url }, { redisPrefix: await ownPrefix() });
		const [acme, globex] = [await tenantWithUser(running), await tenantWithUser(running)];
		const jar = newJar(running);
		await jar.signIn(acme);
		await jar.signIn(globex);
		expect(await jar.tenantOf(acme)).toBe(acme.id);
		expect(await jar.tenantOf(globex)).toBe(globex.id);
		await jar.send("/sign-out", { tenant: globex, body: {} });
		expect(await jar.tenantOf(globex)).toBeNull();
		expect(await jar.tenantOf(acme)).toBe(acme.id);
	});

	test("sessions are read from Redis, and can still be listed and revoked", async () => {
		const redisPrefix = await ownPrefix();
		const environment = { REDIS_URL: url, DATA_DIR: temporaryDirectory() };
		const { post, call } = await runningService(environment, { redisPrefix });
		const tenantId = await newTenant(post);
		const headers = { "x-tenant-id": tenantId };
		const signedUp = await post("/tenant/sign-up/email", newUser("ada@example.com"), headers);
		const cookie = cookiesOf(signedUp);
		const session = async () =>
			(await call("/api/auth/get-session", { headers: { cookie } })).json();
		expect(await session()).toMatchObject({ session: { tenantId } });

		const redis = new Redis(url);
		onTestFinished(async () => void (await redis.quit()));
		expect(await redis.keys(`${redisPrefix}*`)).not.toEqual([]);

		const listed = await call(`/api/auth/tenant/session/list?tenantId=${tenantId}`, {
			headers: asManager,
		});
		const sessions = (await listed.json()) as { id: string; userId: string }[];
		expect(sessions).toHaveLength(1);
		const [{ id: sessionId, userId } = { id: "", userId: "" }] = sessions;
		const body = { tenantId, userId, sessionId };
		expect((await post("/tenant/session/revoke", body, asManager)).status).toBe(200);
		expect(await session()).toBeNull();
	});

	test("the server is ready but degraded while Redis does not answer, and reconnects", async () => {
		const connection = await breakableConnection(url);
		const redisPrefix = await ownPrefix();
		const service = await runningService({ REDIS_URL: connection.url }, { redisPrefix });
		const readiness = async () => {
			const response = await service.call("/readyz");
			return [response.status, ((await response.json()) as { status: string }).status];
		};
		expect(await readiness()).toEqual([200, "ready"]);
		expect(await service.backend.metrics.text()).toContain('auth_store_up{store="redis"} 1');
		expect(await service.backend.metrics.text()).toContain(
			'auth_clock_offset_seconds{store="redis"}',
		);
		connection.interrupt();
		const broken = await service.call("/readyz");
		// All servers lose Redis at once. People can sign in without it, so a load balancer keeps them.
		expect(broken.status).toBe(200);
		expect(await broken.json()).toEqual({
			status: "degraded",
			checks: { database: "ok", redis: "failed" },
		});
		const metrics = await service.backend.metrics.text();
		expect(metrics).toContain('auth_store_up{store="redis"} 0');
		expect(metrics).toContain('auth_store_up{store="database"} 1');
		connection.restore();
		await expect.poll(readiness).toEqual([200, "ready"]);
		// Only once, even after several attempts.
		const messages = service.logged().map(({ msg }) => msg);
		expect(messages.filter((msg) => /^Redis/.test(String(msg)))).toEqual([
			"Redis does not respond",
			"Redis responds again",
		]);
	});

	test("without Redis, people sign in and sessions are valid, but none can be ended", async () => {
		const connection = await breakableConnection(url);
		const redisPrefix = await ownPrefix();
		const service = await runningService({ REDIS_URL: connection.url }, { redisPrefix });
		const { post, call } = service;
		const headers = { "x-tenant-id": await newTenant(post) };
		const user = newUser("ada@example.com");
		const before = cookiesOf(await post("/tenant/sign-up/email", user, headers));
		const session = async (cookie: string) =>
			(await call("/api/auth/get-session", { headers: { cookie } })).json();

		// Its time limits do not pass: a call that waited for Redis would not end.
		vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
		onTestFinished(() => void vi.useRealTimers());
		connection.interrupt();
		const signedIn = await post("/tenant/sign-in/email", user, headers);
		expect(signedIn.status).toBe(200);
		const during = cookiesOf(signedIn);
		for (const cookie of [before, during]) {
			expect(await session(cookie)).toMatchObject({ user: { email: user.email } });
		}
		const wrong = { ...user, password: "wrong password" };
		expect((await post("/tenant/sign-in/email", wrong, headers)).status).toBe(401);
		const created = await post("/tenant/create", { name: "B", slug: "b2b" }, asManager);
		expect(created.status).toBe(200);
		const origin = { origin: service.baseUrl };
		for (const path of ["/sign-out", "/revoke-sessions"]) {
			const answer = await post(path, {}, { cookie: before, ...origin });
			expect([path, answer.status]).toEqual([path, 503]);
			expect(answer.headers.get("retry-after")).toBe("5");
			expect(await answer.json()).toMatchObject({ code: "STORAGE_UNAVAILABLE" });
		}

		connection.restore();
		// It connects again.
		await vi.runOnlyPendingTimersAsync();
		vi.useRealTimers();
		const isReady = async () =>
			((await (await call("/readyz")).json()) as { status: string }).status;
		await expect.poll(isReady).toBe("ready");
		expect(await session(during)).toMatchObject({ user: { email: user.email } });
		const ended = await post("/sign-out", {}, { cookie: during, ...origin });
		expect(ended.status).toBe(200);
		expect(await session(during)).toBeNull();
		expect(await session(before)).not.toBeNull();
	});

	test("a slow Redis uses up the time of a request, which ends with 503", async () => {
		const connection = await breakableConnection(url);
		const redisPrefix = await ownPrefix();
		const { post, baseUrl } = await runningService({ REDIS_URL: connection.url }, { redisPrefix });
		const clock = movedClock();
		const headers = { "x-tenant-id": await newTenant(post) };
		const user = newUser("ada@example.com");
		const cookie = cookiesOf(await post("/tenant/sign-up/email", user, headers));
		const sentBy = async (request: () => Promise<Response>) => {
			const before = connection.countSent();
			const response = await request();
			return { response, sent: connection.countSent() - before };
		};
		const endSessions = () => post("/revoke-sessions", {}, { cookie, origin: baseUrl });

		// One response is more than what a request may wait.
		connection.watchResponses(() => clock.moveOn(16_000));
		const { response: late, sent } = await sentBy(endSessions);
		// To find out which server it is takes two of them.
		expect(sent).toBeLessThanOrEqual(3);
		connection.watchResponses(() => {});
		const inTime = await sentBy(endSessions);
		expect(inTime.response.status).toBe(200);
		expect(inTime.sent).toBeGreaterThan(3);
		expect([late.status, late.headers.get("retry-after")]).toEqual([503, "5"]);
	});

	test("a Redis that does not answer stops the start with one sentence", async () => {
		const start = runningService({ REDIS_URL: "redis://:hunter22@127.0.0.1:1" });
		await expect(start).rejects.toThrow(/^The Redis at REDIS_URL cannot be used: .*REFUSED/);
	});
});
