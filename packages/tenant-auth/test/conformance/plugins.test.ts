import { describe, it } from "vitest";
import { everyPlugin } from "../support/every-plugin";
import { requireConformance } from "../support/require-conformance";
import { silenceErrors } from "../support/silent-errors";

// The organization plugin has as many endpoints as all others together, so it has its own file.
const { organization: _, ...plugins } = everyPlugin;

silenceErrors();

describe("the conformance check over every plugin", () => {
	it.each(Object.entries(plugins))("passes on %s", (_, make) => requireConformance(make));
});
