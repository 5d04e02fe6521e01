import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const script = fileURLToPath(new URL("test-with.mjs", import.meta.url));

/** `.ci/run` runs the script with real versions. */
describe("the script that tests with other versions", () => {
	it.each([
		[["--better-auth"], "--better-auth needs a version, for example --better-auth 1.7.18"],
		[["--better-auth", "latest"], "--better-auth needs a version"],
		[["--node", "../22"], "--node needs a version, for example --node 22"],
	])("rejects %j before it installs anything", (args, sentence) => {
		const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
			encoding: "utf8",
		});
		expect([status, stdout]).toEqual([1, ""]);
		expect(stderr).toContain(sentence);
	});
});
