import { describe, it } from "vitest";
import { silenceErrors } from "../support/processes/silent-errors";
import { everyPlugin } from "../support/worlds/every-plugin";
import { requireConformance } from "../support/worlds/require-conformance";

// The organization plugin has as many endpoints as all others together, so it has its own file.
const { organization: _, ...plugins } = everyPlugin;

silenceErrors();

describe("the conformance check over every plugin", () => {
	it.each(Object.entries(plugins))("passes on %s", (_, make) => requireConformance(make));
});
