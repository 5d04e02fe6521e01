import { describe, expect, test } from "vitest";
import { databaseServers } from "../database-servers";
import { newTenant, type RunningService, runningService } from "../running-service";
import { jsonStream, startCollector } from "./collector";

const COUNT = 30;

const slugs = (name: string) => Array.from({ length: COUNT }, (_, index) => `${name}-${index}`);

for (const { name, isMissing, createDatabase } of databaseServers) {
	describe.skipIf(isMissing)(`the event stream on ${name}`, () => {
		test("two servers lose no event and send none twice, whoever is late", async () => {
			const collector = await startCollector();
			const settings = {
				...jsonStream(collector),
				DATABASE_URL: await createDatabase(),
				EVENT_STREAM_INTERVAL_SECONDS: "1",
			};
			const first = await runningService(settings);
			const second = await runningService(settings);
			for (const { jobs } of [first, second]) jobs.start();
			const late = await lateTransaction(first);
			const created = await Promise.all([
				...slugs("one").map((slug) => newTenant(first.post, slug)),
				...slugs("two").map((slug) => newTenant(second.post, slug)),
			]);
			const ids = () => collector.events().map(({ id }) => id);
			await expect.poll(() => ids().length).toBe(created.length);
			// It is older than all that were sent. A position in the log would be behind it.
			await late.commit();
			await expect.poll(() => ids().length).toBe(created.length + 1);
			expect(new Set(ids()).size).toBe(created.length + 1);
			const tenants = collector.events().map(({ tenantId }) => tenantId);
			expect(new Set(tenants)).toEqual(new Set([...created, "late"]));
			expect(collector.events().at(-1)?.tenantId).toBe("late");
		});
	});
}

/** A change whose transaction ends when the test says so. */
async function lateTransaction({ backend }: RunningService) {
	const { adapter } = await backend.auth.$context;
	let commit = () => {};
	const held = new Promise<void>((resolve) => {
		commit = resolve;
	});
	let written = () => {};
	const isWritten = new Promise<void>((resolve) => {
		written = resolve;
	});
	const done = adapter.transaction(async (trx) => {
		const createdAt = new Date();
		const data = { createdAt, action: "app:late", tenantId: "late", actorKind: "server" };
		const { id } = await trx.create({ model: "tenantAuditEvent", data });
		const entry = { source: "tenantAuditEvent", rowId: id, createdAt };
		await trx.create({ model: "eventStreamEntry", data: entry });
		written();
		await held;
	});
	await Promise.race([isWritten, done]);
	return {
		commit: async () => {
			commit();
			await done;
		},
	};
}
