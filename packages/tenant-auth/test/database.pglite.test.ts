import { describe } from "vitest";
import { describeMainBehaviours } from "./support/main-behaviours";
import { openPglite } from "./support/pglite";

describe("on PGlite", () => {
	describeMainBehaviours(openPglite);
});
