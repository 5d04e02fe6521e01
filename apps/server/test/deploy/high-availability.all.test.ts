import { describe, expect, test } from "vitest";
import { readSettings } from "../../src/settings/settings";
import { readDeployFile } from "./deploy-files";

const read = (name: string) => readDeployFile(`high-availability/${name}`);

/** The settings of a file, without comments: `name value` or `name = value`. */
const settingsOf = (name: string) =>
	read(name)
		.split("\n")
		.filter((line) => /^\w/.test(line))
		.map((line) => line.replace(" = ", " "));

// failover.cluster.test.ts runs these files, with other addresses.
describe("deploy/high-availability", () => {
	test("lets a Galera node wait for what other nodes have committed", () => {
		expect(settingsOf("galera.cnf")).toEqual(
			expect.arrayContaining(["wsrep_on ON", "wsrep_sync_wait 1", "character_set_server utf8mb4"]),
		);
	});

	test("lets Redis keep what it has, but not over a restart", () => {
		expect(settingsOf("redis.conf")).toEqual(
			expect.arrayContaining([
				'save ""',
				"appendonly no",
				"maxmemory-policy noeviction",
				"min-replicas-to-write 1",
				"min-replicas-max-lag 10",
			]),
		);
	});

	test("gives Sentinel the password of Redis", () => {
		const [, password] = /^requirepass (\S+)$/m.exec(read("redis.conf")) ?? [];
		expect(settingsOf("redis.conf")).toContain(`masterauth ${password}`);
		expect(settingsOf("sentinel.conf")).toContain(`sentinel auth-pass mymaster ${password}`);
	});

	test("names a URL of the Sentinels that the server accepts", () => {
		const [, url] = /REDIS_URL=(\S+)\.\s/.exec(read("sentinel.conf")) ?? [];
		const settings = readSettings(
			{
				BETTER_AUTH_URL: "https://auth.example.com",
				BETTER_AUTH_SECRET: "a secret for tests with 32 characters and more",
				REDIS_URL: String(url),
			},
			"/",
		);
		expect(settings.redisUrl).toBe(url);
	});
});
