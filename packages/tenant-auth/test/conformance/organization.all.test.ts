import { describe, it } from "vitest";
import { silenceErrors } from "../support/processes/silent-errors";
import { everyPlugin } from "../support/worlds/every-plugin";
import { requireConformance } from "../support/worlds/require-conformance";

silenceErrors();

describe("the conformance check over every plugin", () => {
	it("passes on organization", () => requireConformance(everyPlugin.organization));
});
