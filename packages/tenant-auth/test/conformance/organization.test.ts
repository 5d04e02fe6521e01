import { describe, it } from "vitest";
import { everyPlugin } from "../support/every-plugin";
import { requireConformance } from "../support/require-conformance";
import { silenceErrors } from "../support/silent-errors";

silenceErrors();

describe("the conformance check over every plugin", () => {
	it("passes on organization", () => requireConformance(everyPlugin.organization));
});
