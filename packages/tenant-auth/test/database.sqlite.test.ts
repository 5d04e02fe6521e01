import { describe } from "vitest";
import { openSqlite } from "./support/databases";
import { describeMainBehaviours } from "./support/main-behaviours";

describe("on SQLite", () => {
	describeMainBehaviours(openSqlite);
});
