import type { TenantEvent } from "better-auth-tenant";
import { describe, expect, it } from "vitest";
import { EVENT_OF_ACTION } from "../../src/audit/audited-events";
import { ROUTES } from "../../src/routes";
import { openSqlite } from "../support/databases";
import { describeEvents } from "../support/event-behaviors";
import { makeInstance } from "../support/instance";
import { keepLog } from "../support/kept-log";
import { makeMemoryStorage } from "../support/memory-storage";

describe("events on SQLite", () => describeEvents(openSqlite));

describe("onEvent", () => {
	it("fails no request, and its error is logged", async () => {
		const { lines, logger } = keepLog();
		const onEvent = async () => {
			throw new Error("the app failed");
		};
		const app = await makeInstance({ tenants: { onEvent }, logger });
		const tenantId = await app.makeTenant();
		expect((await app.signUp(tenantId)).status).toBe(200);
		expect(lines.join()).toMatch(/onEvent failed for user\.created evt_\w+/);
	});

	it("delays no answer if the app has a handler for background tasks", async () => {
		const tasks: Promise<unknown>[] = [];
		let finish = () => {};
		const held = new Promise<void>((resolve) => {
			finish = resolve;
		});
		const app = await makeInstance({
			tenants: { onEvent: () => held },
			advanced: { backgroundTasks: { handler: (task) => void tasks.push(task) } },
		});
		const tenantId = await app.makeTenant();
		expect((await app.signUp(tenantId)).status).toBe(200);
		expect(tasks.length).toBeGreaterThan(3);
		finish();
		await Promise.all(tasks);
	});

	it("hears of sessions that only a secondary storage has", async () => {
		const events: TenantEvent[] = [];
		const app = await makeInstance({
			tenants: { onEvent: (event) => void events.push(event) },
			secondaryStorage: makeMemoryStorage(),
		});
		const tenantId = await app.makeTenant();
		const { cookie, body } = await app.signUp(tenantId);
		await app.call("/sign-out", { body: {}, cookie });
		const sessions = events.filter(({ type }) => type.startsWith("session."));
		expect(sessions.map(({ type, data }) => [type, data])).toEqual([
			["session.created", expect.objectContaining({ userId: body.user.id })],
			["session.revoked", expect.objectContaining({ userId: body.user.id })],
		]);
		expect(JSON.stringify(events)).not.toContain(body.token);
	});
});

describe("the events of audited actions", () => {
	const routes = Object.values(ROUTES);
	const changes = routes.flatMap((it) => ("action" in it && it.method === "POST" ? it.action : []));

	it.each(changes)("say whether %s has one", (action) => {
		expect(EVENT_OF_ACTION).toHaveProperty([action]);
	});
});
