import { describe, it } from "vitest";
import { everyPlugin } from "./support/every-plugin";
import { requireConformance } from "./support/require-conformance";

describe("the conformance check over every plugin", () => {
	it("passes on organization", () => requireConformance(everyPlugin.organization));
});
