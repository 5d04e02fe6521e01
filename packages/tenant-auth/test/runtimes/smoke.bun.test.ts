import { devNull } from "node:os";
import { describe } from "vitest";
import { services } from "../../../../testing/services";
import { startRuntime } from "./runtime-process";
import { describeRuntime } from "./steps";

describe.skipIf(!services.bun)("on Bun with bun:sqlite", () => {
	// The paths of our `tsconfig.json` would lead Bun to the sources of the plugin.
	const args = ["run", `--tsconfig-override=${devNull}`];
	describeRuntime((hosts) => startRuntime(String(services.bun), args, "bun-server.ts", hosts));
});
