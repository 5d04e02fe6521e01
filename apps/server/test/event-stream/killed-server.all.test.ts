import type { Kysely } from "kysely";
import { expect, test } from "vitest";
import { managementKey, runningService } from "../running-service";
import { startProcess } from "../server-process";
import { temporaryDirectory } from "../temporary-directory";
import { jsonStream, ok, startCollector } from "./collector";

const SECRET = "a secret for tests with 32 characters and more: 8dK2!x";

test("no event is lost when a server is killed in the middle of a request to the collector", async () => {
	const DATA_DIR = temporaryDirectory();
	const collector = await startCollector(() => {});
	const settings = {
		DATA_DIR,
		...jsonStream(collector),
		BETTER_AUTH_SECRET: SECRET,
		MANAGEMENT_KEYS: managementKey,
	};
	const server = startProcess({ ...settings, EVENT_STREAM_INTERVAL_SECONDS: "2" });
	const url = await server.url();
	const created: string[] = [];
	const add = async (slug: string) => {
		const response = await fetch(`${url}/api/auth/tenant/create`, {
			method: "POST",
			headers: {
				"content-type": "application/json",
				authorization: `Bearer ${managementKey}`,
			},
			body: JSON.stringify({ name: slug, slug }),
		});
		created.push(((await response.json()) as { id: string }).id);
	};
	for (const slug of ["one", "two", "three"]) await add(slug);
	// The collector has the request, and does not respond.
	await expect.poll(() => collector.received.length).toBe(1);
	await add("four");
	server.kill("SIGKILL");
	await server.exitCode();

	collector.respondWith(ok);
	const next = await runningService(settings);
	// The dead server holds the lock for a minute.
	expect(await next.jobs.run("event-stream")).toBeNull();
	const db = next.backend.database.db as unknown as Kysely<{
		service_job: { name: string; locked_until: number };
	}>;
	const lock = db.selectFrom("service_job").select("locked_until");
	const { locked_until } = await lock.where("name", "=", "event-stream").executeTakeFirstOrThrow();
	expect(locked_until - Date.now()).toBeLessThanOrEqual(60_000);
	await db.updateTable("service_job").set({ locked_until: 0 }).execute();
	expect(await next.jobs.run("event-stream")).toEqual({ sent: 4, rejected: 0 });
	expect(collector.events().map(({ tenantId }) => tenantId)).toEqual(created);
});
