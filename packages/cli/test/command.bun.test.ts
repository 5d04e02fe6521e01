import { devNull } from "node:os";
import { describe } from "vitest";
import { services } from "../../../testing/services";
import { describeRuntime } from "./support/describe-runtime";

describe.skipIf(!services.bun)("the command on Bun", () => {
	// The paths of our `tsconfig.json` would lead Bun to the sources of the plugin.
	describeRuntime(() => [String(services.bun), ...["run", `--tsconfig-override=${devNull}`]]);
});
