import { describe } from "vitest";
import { openPglite } from "../support/databases/pglite";
import { describeMainBehaviors } from "./main/describe-main-behaviors";

describe("on PGlite", () => {
	describeMainBehaviors(openPglite);
});
