import { describe } from "vitest";
import { services } from "../../../testing/services";
import { describeRuntime } from "./support/describe-runtime";

describe.skipIf(!services.deno)("the command on Deno", () => {
	describeRuntime(() => [String(services.deno), ...["run", "--quiet", "--no-lock", "--allow-all"]]);
});
