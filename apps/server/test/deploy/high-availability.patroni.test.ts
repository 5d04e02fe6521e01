import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { services } from "../../../../testing/services";
import { deployFile, readDeployFile } from "./deploy-files";

// failover.patroni.test.ts runs these files, with other addresses.
describe.skipIf(!services.patroni)("deploy/high-availability, with Patroni", () => {
	const haproxy = readDeployFile("high-availability/haproxy.cfg");
	const patroni = parse(readDeployFile("high-availability/patroni.yaml"));

	test("HAProxy accepts haproxy.cfg without a warning", () => {
		const args = ["-c", "-f", deployFile("high-availability/haproxy.cfg")];
		const { status, stdout, stderr } = spawnSync("/usr/sbin/haproxy", args, { encoding: "utf8" });
		expect({ status, output: `${stdout}${stderr}`.trim() }).toEqual({
			status: 0,
			output: "Configuration file is valid",
		});
	});

	test("both name the same node and the same ports", () => {
		const [address, port] = patroni.restapi.connect_address.split(":");
		expect(patroni.postgresql.connect_address).toBe(`${address}:5432`);
		expect(haproxy).toContain(
			`server ${patroni.name} ${patroni.postgresql.connect_address} check port ${port}`,
		);
	});

	test("a commit waits for the standby, and the times follow the rule of Patroni", () => {
		const { synchronous_mode, ttl, loop_wait, retry_timeout } = patroni.bootstrap.dcs;
		expect(synchronous_mode).toBe(true);
		expect(ttl).toBeGreaterThanOrEqual(20);
		expect(loop_wait + 2 * retry_timeout).toBeLessThanOrEqual(ttl);
	});
});
