import { describe } from "vitest";
import { describeMainBehaviors } from "../support/main-behaviors";
import { openPglite } from "../support/pglite";

describe("on PGlite", () => {
	describeMainBehaviors(openPglite);
});
