import { beforeAll, describe, it, vi } from "vitest";
import { everyPlugin } from "./support/every-plugin";
import { requireConformance } from "./support/require-conformance";

// The organization plugin has as many endpoints as all others together, and a file of its own.
const { organization: _, ...plugins } = everyPlugin;

// Better Auth prints every failure that it does not know: made-up input makes some.
beforeAll(() => {
	vi.spyOn(console, "error").mockImplementation(() => {});
});

describe("the conformance check over every plugin", () => {
	it.each(Object.entries(plugins))("passes on %s", (_, make) => requireConformance(make));
});
