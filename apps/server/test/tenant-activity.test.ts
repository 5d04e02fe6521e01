import { sql } from "kysely";
import { expect, test } from "vitest";
import { notEmpty } from "../../../testing/not-empty";
import { stopClock } from "../../../testing/stopped-clock";
import { lastDays } from "../src/database/daily-counts";
import { KEPT_DAYS } from "../src/database/tenant-days";
import { newOperator } from "./operator-accounts";
import {
	asManager,
	newTenant,
	newUser,
	type RunningService,
	runningService,
} from "./running-service";

type Activity = {
	since: string;
	until: string;
	failing: { tenant: { id: string; name: string }; signIns: number; failures: number }[];
	busiest: { tenant: { id: string }; signIns: number }[];
	slowest: { tenant: { id: string }; requests: number; averageMilliseconds: number }[];
};

const today = () => lastDays(1)[0] ?? "";

async function activityOf({ call }: RunningService, query = ""): Promise<Activity> {
	const response = await call(`/service/tenant-activity${query}`, { headers: asManager });
	expect(response.status).toBe(200);
	return (await response.json()) as Activity;
}

const fail = async ({ post }: RunningService, tenantId: string, times: number) => {
	for (let count = 0; count < times; count += 1) {
		const user = { ...newUser("ada@example.com"), password: "wrong word" };
		await post("/tenant/sign-in/email", user, { "x-tenant-id": tenantId });
	}
};

test("the overview names the tenants with the most failed sign-ins", async () => {
	stopClock();
	const service = await runningService();
	const [acme, globex, initech] = await Promise.all(
		["acme", "globex", "initech"].map((slug) => newTenant(service.post, slug)),
	);
	await fail(service, acme ?? "", 1);
	await fail(service, globex ?? "", 3);
	const headers = { "x-tenant-id": initech ?? "" };
	await service.post("/tenant/sign-up/email", newUser("ada@example.com"), headers);
	await service.post("/tenant/sign-in/email", newUser("ada@example.com"), headers);
	const { failing, slowest, busiest, since, until } = await activityOf(service);
	expect(failing).toEqual([
		{ tenant: { id: globex, name: "globex" }, signIns: 0, failures: 3, errors: 0 },
		{ tenant: { id: acme, name: "acme" }, signIns: 0, failures: 1, errors: 0 },
	]);
	expect([since, until]).toEqual([lastDays(7)[0], today()]);
	expect(busiest).toEqual([{ tenant: { id: initech, name: "initech" }, signIns: 1 }]);
	// The average of a few requests says little.
	expect(slowest).toEqual([]);
	await fail(service, acme ?? "", 5);
	const again = await activityOf(service, `?day=${today()}`);
	expect(again.failing.map(({ failures }) => failures)).toEqual([6, 3]);
	expect((await activityOf(service, `?day=${lastDays(2)[0]}`)).failing).toEqual([]);
});

test("a failed sign-in in no tenant is nobody's", async () => {
	const service = await runningService();
	await service.post("/sign-in/email", { email: "nobody@example.com", password: "wrong word" });
	await service.post("/tenant/sign-in/email", newUser("a@example.com"), { "x-tenant-id": "gone" });
	expect(await activityOf(service)).toMatchObject({ failing: [], busiest: [], slowest: [] });
});

test("the figures of a deleted tenant are deleted with it", async () => {
	const service = await runningService();
	const acme = await newTenant(service.post, "acme");
	await fail(service, acme, 2);
	expect((await activityOf(service)).failing).toHaveLength(1);
	await service.post("/tenant/delete", { tenantId: acme }, asManager);
	expect((await activityOf(service)).failing).toEqual([]);
	const { db } = service.backend.database;
	const { rows } = await sql`select * from service_tenant_day`.execute(db);
	expect(rows).toEqual([]);
});

test("days that are not kept are refused", async () => {
	const service = await runningService();
	const { call } = service;
	const wrong = ["days=0", "days=31", "days=x", "days=1.5", "day=", "day=yesterday"];
	const tooOld = `day=${lastDays(KEPT_DAYS + 1)[0]}`;
	for (const query of notEmpty([...wrong, tooOld, "day=2026-02-30"])) {
		const response = await call(`/service/tenant-activity?${query}`, { headers: asManager });
		expect([query, response.status]).toEqual([query, 400]);
		expect(await response.json()).toMatchObject({ code: "VALIDATION_ERROR" });
	}
	const support = await newOperator(service, "support");
	expect((await call("/service/tenant-activity", support)).status).toBe(200);
	expect((await call("/service/tenant-activity")).status).toBe(401);
});

test("the health of the service names its stores, emails and jobs", async () => {
	const service = await runningService();
	const read = async () =>
		(await (await service.call("/service/health", { headers: asManager })).json()) as object;
	expect(await read()).toMatchObject({
		status: "ready",
		checks: { database: "ok" },
		version: expect.stringMatching(/^\d+\.\d+\.\d+/),
		uptimeSeconds: expect.any(Number),
		email: "outbox",
		failedEmails: 0,
		streamLagSeconds: null,
		failedJobs: [],
	});
	service.backend.metrics.countEmail("failed");
	expect(await read()).toMatchObject({ failedEmails: 1 });
	expect((await service.call("/service/health")).status).toBe(401);

	await service.backend.database.db.destroy();
	expect(await read()).toMatchObject({
		status: "unavailable",
		checks: { database: "failed" },
		failedJobs: null,
	});
});
