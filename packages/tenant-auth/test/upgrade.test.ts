import { describe } from "vitest";
import { openSqlite } from "./support/databases";
import { describeUpgrade } from "./support/upgrade-behaviours";

describe("an upgrade on SQLite", () => {
	describeUpgrade(openSqlite);
});
