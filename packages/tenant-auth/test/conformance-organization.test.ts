import { beforeAll, describe, it, vi } from "vitest";
import { everyPlugin } from "./support/every-plugin";
import { requireConformance } from "./support/require-conformance";

// Better Auth prints every failure that it does not know: made-up input makes some.
beforeAll(() => {
	vi.spyOn(console, "error").mockImplementation(() => {});
});

describe("the conformance check over every plugin", () => {
	it("passes on organization", () => requireConformance(everyPlugin.organization));
});
