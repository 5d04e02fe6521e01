import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { services } from "../../../../testing/services";
import type { RedirectedHost } from "./redirected-hosts";
import { type RunningApp, startRuntime } from "./runtime-process";
import { buildPackage, describeRuntime } from "./steps";
import type { WorkerOptions } from "./workerd-server";

function startWorkerd(hosts: RedirectedHost[], options: WorkerOptions): Promise<RunningApp> {
	return startRuntime(process.execPath, ["--import", "tsx"], "workerd-server.ts", hosts, {
		MINIFLARE_PATH: String(services.workerd),
		WORKER_OPTIONS: JSON.stringify(options),
	});
}

describe.skipIf(!services.workerd)("on workerd with D1", () => {
	const options = { flags: ["nodejs_compat"], conditions: ["workerd"] };
	describeRuntime((hosts) => startWorkerd(hosts, options), {
		resolvesNames: false,
		load: expect.stringContaining("does not work on Cloudflare Workers"),
	});
});

describe.skipIf(!services.workerd)("on workerd without nodejs_compat", () => {
	let running: RunningApp;
	beforeAll(async () => {
		buildPackage();
		running = await startWorkerd([], { flags: [], conditions: [] });
	});
	afterAll(() => running?.close());

	it("refuses to start, and says what is missing", async () => {
		const response = await fetch(`${running.origin}/api/auth/ok`);
		expect([response.status, await response.text()]).toEqual([
			500,
			expect.stringContaining("Cloudflare Workers with nodejs_compat"),
		]);
	});
});
