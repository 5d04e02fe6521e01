import { describe, expect, test } from "vitest";
import { services } from "../../../../testing/services";
import { breakableConnection } from "../breakable-connection";
import { asManager, newUser, runningService } from "../running-service";
import { temporaryDirectory } from "../temporary-directory";
import { expectNothingLost, printOutcomes } from "./failover-outcomes";
import { ownGalera } from "./own-galera";
import { ownPostgres } from "./own-postgres";
import { ownCluster, ownReplicatedRedis, ownSentinel } from "./own-redis";
import { loadDuring } from "./sign-in-load";

printOutcomes();

describe.skipIf(!services.cluster)("sign-ups and sign-ins during a failover", () => {
	test("of Redis, by Sentinel", async () => {
		const { master, replicas, password } = await ownReplicatedRedis();
		const { port } = await ownSentinel(master, replicas.length);
		const REDIS_URL = `redis-sentinel://:${password}@127.0.0.1:${port}/mymaster`;
		const environment = { REDIS_URL, DATA_DIR: temporaryDirectory() };
		const one = await runningService(environment);
		const two = await runningService(environment);
		const outcome = await loadDuring([one, two], async () => {
			await master.kill();
			await expect
				.poll(async () => (await one.call("/readyz")).json())
				.toMatchObject({ status: "ready" });
		});
		expectNothingLost("Redis, Sentinel", outcome);
	});

	test("of a node of a Redis cluster", async () => {
		const { url, nodes } = await ownCluster();
		const environment = { REDIS_URL: url, DATA_DIR: temporaryDirectory() };
		const one = await runningService(environment);
		const two = await runningService(environment);
		const outcome = await loadDuring([one, two], async () => {
			await nodes[0]?.kill();
			await expect
				.poll(async () => (await nodes[3]?.run((client) => client.info("replication"))) ?? "")
				.toContain("role:master");
		});
		expectNothingLost("Redis, cluster", outcome);
	});

	test("of PostgreSQL, to a synchronous replica", async () => {
		const postgres = await ownPostgres();
		const proxy = await breakableConnection(postgres.url);
		const one = await runningService({ DATABASE_URL: proxy.url });
		const two = await runningService({ DATABASE_URL: proxy.url });
		const outcome = await loadDuring([one, two], async () => {
			proxy.lead(await postgres.failOver());
		});
		expectNothingLost("PostgreSQL, synchronous replica", outcome);
	});

	test("of a node of Galera, and without a quorum everything is 503", async () => {
		const nodes = await ownGalera();
		const proxies = await Promise.all(nodes.slice(0, 2).map(({ url }) => breakableConnection(url)));
		// Both start on the empty database, each at its own node.
		const [one, two] = await Promise.all(
			proxies.map(({ url }) => runningService({ DATABASE_URL: url })),
		);
		if (!one || !two) throw new Error("There are no servers");
		const outcome = await loadDuring([one, two], async () => {
			await nodes[0].kill();
			proxies[0]?.lead(nodes[2].url);
			await expect.poll(async () => (await one.call("/readyz")).status).toBe(200);
		});
		expectNothingLost("Galera, two writers", outcome);

		await nodes[1].kill();
		const isAlone = "show status like 'wsrep_cluster_status'";
		await expect
			.poll(async () => Object.values((await nodes[2].run(isAlone))[0] ?? {}))
			.toContain("non-Primary");
		const user = newUser("user-0-0@example.com");
		const create = { name: "B", slug: "globex" };
		for (const response of [
			await one.post("/tenant/create", create, asManager),
			await one.post("/sign-in/email", user),
			await one.call("/readyz"),
			await two.call("/readyz"),
		]) {
			expect(response.status).toBe(503);
		}
	});
});
