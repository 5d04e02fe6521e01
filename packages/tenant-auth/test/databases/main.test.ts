import { describe } from "vitest";
import { eachDatabase } from "../support/databases/each-database";
import { describeMainBehaviors } from "./main/describe-main-behaviors";

describe.each(eachDatabase)("on %s", (_, open) => {
	describeMainBehaviors(open);
});
