import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryDirectory } from "../../../apps/server/test/temporary-directory";
import { services } from "../../../testing/services";
import { builtStarter, runStarter, runStarterWith } from "./built-starter";

const filesIn = (folder: string, name: string) =>
	readdirSync(join(folder, name), { recursive: true }).sort();

describe("the built program", () => {
	test("finds its templates, and ends with an exit code", () => {
		const folder = temporaryDirectory();
		expect(runStarter(folder, "shop", "--yes", "--no-install")).toMatchObject({
			status: 0,
			stderr: "",
		});
		expect(filesIn(folder, "shop")).toContain("src/auth.ts");
		expect(runStarter(folder, "shop", "--yes", "--no-install").status).toBe(2);
	});

	const { bun, deno } = services;
	test.runIf(bun)("writes the same with Bun", () => expectSame([String(bun), "run"]));
	test.runIf(deno)("writes the same with Deno", () =>
		expectSame([String(deno), "run", "--quiet", "--no-lock", "--allow-all"]),
	);

	function expectSame(runtime: readonly [string, ...string[]]) {
		const folder = temporaryDirectory();
		runStarter(folder, "node", "--yes", "--no-install");
		const args = ["other", "--yes", "--no-install"];
		expect(runStarterWith(runtime, folder, ...args)).toMatchObject({ status: 0, stderr: "" });
		expect(filesIn(folder, "other")).toEqual(filesIn(folder, "node"));
	}

	test("writes the whole app if Ctrl-C comes in the middle", () => {
		const folder = temporaryDirectory();
		runStarter(folder, "whole", "--yes", "--no-install");
		const interrupt = `import fs from "node:fs"; import { syncBuiltinESMExports } from "node:module";
			const write = fs.writeFileSync; let count = 0;
			fs.writeFileSync = (...args) => {
				if (++count === 3) process.kill(process.pid, "SIGINT");
				return write(...args);
			};
			syncBuiltinESMExports();`;
		const args = [
			"--import",
			`data:text/javascript,${encodeURIComponent(interrupt)}`,
			builtStarter(),
		];
		const { status } = spawnSync(
			process.execPath,
			[...args, "interrupted", "--yes", "--no-install"],
			{
				cwd: folder,
			},
		);
		expect(status).toBe(130);
		expect(filesIn(folder, "interrupted")).toEqual(filesIn(folder, "whole"));
	});
});
