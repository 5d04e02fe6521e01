import { expect, test } from "vitest";
import { stopClock } from "../../../testing/stopped-clock";
import { codeOf, inviteOperator, newOperator, secretOf } from "./operator-accounts";
import {
	asManager,
	cookiesOf,
	newTenant,
	newUser,
	type RunningService,
	runningService,
} from "./running-service";
import { temporaryDirectory } from "./temporary-directory";

const metricsOf = async ({ call }: RunningService) =>
	(await call("/metrics", { headers: asManager })).text();

const today = () => new Date().toISOString().slice(0, 10);

test("/healthz and /readyz answer, and /readyz names the store that does not", async () => {
	const { call, backend } = await runningService();
	expect(await (await call("/healthz")).json()).toEqual({ status: "up" });
	const ready = await call("/readyz");
	expect(ready.status).toBe(200);
	expect(await ready.json()).toEqual({ status: "ready", checks: { database: "ok" } });

	await backend.database.db.destroy();
	const broken = await call("/readyz");
	expect(broken.status).toBe(503);
	expect(await broken.json()).toEqual({ status: "unavailable", checks: { database: "failed" } });
	expect((await call("/healthz")).status).toBe(200);
});

test("a stopping server is not ready, but up", async () => {
	const { call, health } = await runningService();
	health.stop();
	const response = await call("/readyz");
	expect(response.status).toBe(503);
	expect(await response.json()).toEqual({ status: "stopping", checks: {} });
	expect((await call("/healthz")).status).toBe(200);
});

test("metrics contain requests, durations, sign-ins and the process", async () => {
	const service = await runningService();
	const tenant = { "x-tenant-id": await newTenant(service.post) };
	const user = newUser("ada@example.com");
	await service.post("/tenant/sign-up/email", user, tenant);
	await service.post("/tenant/sign-in/email", user, tenant);
	await service.post("/tenant/sign-in/email", { ...user, password: "wrong password" }, tenant);
	const metrics = await metricsOf(service);
	expect(metrics).toContain(
		'http_requests_total{method="POST",route="/api/auth/tenant/sign-in/email",status="2xx"} 1',
	);
	expect(metrics).toContain(
		'http_requests_total{method="POST",route="/api/auth/tenant/sign-in/email",status="4xx"} 1',
	);
	expect(metrics).toContain('auth_sign_ins_total{outcome="ok"} 1');
	expect(metrics).toContain('auth_sign_ins_total{outcome="failed"} 1');
	expect(metrics).toContain("http_request_duration_seconds_bucket");
	expect(metrics).toContain("process_resident_memory_bytes");
});

test("clients cannot create labels", async () => {
	const service = await runningService();
	const tenantId = await newTenant(service.post);
	const labels = async () =>
		(await metricsOf(service)).split("\n").filter((line) => line.startsWith("http_requests_total"));
	const sendRequests = async (n: number) => {
		await service.call(`/nowhere-${n}`);
		await service.call(`/api/auth/nowhere-${n}`);
		await service.call(`/api/auth/reset-password/${n}?callbackURL=/`);
		await service.call(`/service/${n}`);
		await service.call("/api/auth/ok", { method: `MADEUP${n}` });
		await service.call("/api/auth/get-session", { headers: { "x-tenant-id": `tenant-${n}` } });
	};
	await sendRequests(1);
	await labels();
	const before = await labels();
	for (let n = 2; n < 12; n++) await sendRequests(n);
	const after = await labels();
	expect(after).toHaveLength(before.length);
	expect(after.join("\n")).not.toContain(tenantId);
	expect(after.join("\n")).not.toMatch(/nowhere|MADEUP|tenant-\d/);
});

test("metrics are for this machine and for managers", async () => {
	const { call } = await runningService();
	const from = async (ip: string, headers = {}, url = "/metrics") =>
		(await call(url, { headers }, ip)).status;
	expect(await from("127.0.0.1")).toBe(200);
	expect(await from("::1")).toBe(200);
	expect(await from("203.0.113.9")).toBe(401);
	expect(await from("203.0.113.9", { authorization: "Bearer wrong" })).toBe(403);
	expect(await from("203.0.113.9", asManager)).toBe(200);
	// A request from another machine, through a proxy on this machine.
	expect(await from("127.0.0.1", { "x-forwarded-for": "203.0.113.9" })).toBe(401);
	expect(await from("127.0.0.1", {}, "https://auth.example.com/metrics")).toBe(401);
});

test("the overview counts tenants, users, and the sign-ins and sign-ups of today", async () => {
	stopClock();
	const service = await runningService();
	const user = newUser("ada@example.com");
	for (const slug of ["acme", "globex"]) {
		const tenant = { "x-tenant-id": await newTenant(service.post, slug) };
		await service.post("/tenant/sign-up/email", user, tenant);
		await service.post("/tenant/sign-in/email", user, tenant);
		await service.post("/tenant/sign-in/email", { ...user, password: "wrong word" }, tenant);
	}
	await inviteOperator(service, "root@example.com", "owner");
	const response = await service.call("/service/overview", { headers: asManager });
	expect(response.headers.get("cache-control")).toBe("no-store");
	const { days, ...totals } = (await response.json()) as { days: object[] };
	// The operator is a user of no tenant.
	expect(totals).toEqual({ tenants: 2, users: 2 });
	expect(days).toHaveLength(180);
	expect(days.at(-1)).toEqual({ day: today(), signIns: 2, failures: 2, signUps: 2 });
	expect(days.at(0)).toMatchObject({ signIns: 0, failures: 0, signUps: 0 });
});

test("a sign-in with a second factor counts once, after the code", async () => {
	const service = await runningService();
	const { post, baseUrl } = service;
	const tenant = { "x-tenant-id": await newTenant(service.post), origin: baseUrl };
	const user = newUser("ada@example.com");
	const cookie = cookiesOf(await post("/tenant/sign-up/email", user, tenant));
	const { password } = user;
	const enabled = await post("/two-factor/enable", { password }, { ...tenant, cookie });
	const secret = secretOf(((await enabled.json()) as { totpURI: string }).totpURI);
	const code = codeOf(secret);
	await post("/two-factor/verify-totp", { code }, { ...tenant, cookie });
	const outcomes = async () => (await metricsOf(service)).match(/auth_sign_ins_total\{.*/g);
	const counted = (ok: number, failed: number) => [
		`auth_sign_ins_total{outcome="ok"} ${ok}`,
		`auth_sign_ins_total{outcome="failed"} ${failed}`,
	];
	expect(await outcomes()).toEqual(counted(0, 0));

	for (const path of ["/tenant/sign-in/email", "/sign-in/email"]) {
		const asked = cookiesOf(await post(path, user, tenant));
		const headers = { ...tenant, cookie: asked };
		if (path === "/tenant/sign-in/email") {
			expect(await outcomes()).toEqual(counted(0, 0));
			await post("/two-factor/verify-totp", { code: "000000" }, headers);
			expect(await outcomes()).toEqual(counted(0, 1));
		}
		expect((await post("/two-factor/verify-totp", { code: codeOf(secret) }, headers)).status).toBe(
			200,
		);
	}
	expect(await outcomes()).toEqual(counted(2, 1));
});

test("counts survive a restart", async () => {
	const environment = { DATA_DIR: temporaryDirectory() };
	const first = await runningService(environment);
	await first.post("/sign-in/email", { email: "nobody@example.com", password: "wrong word" });
	await first.close();
	const second = await runningService(environment);
	await second.post("/sign-in/email", { email: "nobody@example.com", password: "wrong word" });
	const response = await second.call("/service/overview", { headers: asManager });
	const { days } = (await response.json()) as { days: object[] };
	expect(days.at(-1)).toMatchObject({ failures: 2 });
});

test("the info of the service is for operators", async () => {
	const service = await runningService();
	const { headers } = await newOperator(service, "support");
	const info = await service.call("/service/info", { headers });
	expect(await info.json()).toMatchObject({
		baseUrl: "http://localhost:3000",
		tenantDomain: null,
		region: null,
		database: "sqlite",
		redis: false,
		mail: "outbox",
		outbox: true,
		providers: [],
	});
	expect((await service.call("/service/outbox", { headers })).status).toBe(403);
	expect((await service.call("/service/info")).status).toBe(401);
	expect((await service.call("/service/nowhere", { headers: asManager })).status).toBe(404);
});
