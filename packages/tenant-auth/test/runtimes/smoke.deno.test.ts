import { describe } from "vitest";
import { services } from "../../../../testing/services";
import { startRuntime } from "./runtime-process";
import { describeRuntime } from "./steps";

describe.skipIf(!services.deno)("on Deno with node:sqlite", () => {
	const args = ["run", "--quiet", "--no-lock", "--allow-all"];
	describeRuntime((hosts) => startRuntime(String(services.deno), args, "deno-server.ts", hosts));
});
