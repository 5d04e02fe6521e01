import { describe } from "vitest";
import { openDrizzleSqlite } from "./support/drizzle-databases";
import { describeMainBehaviours } from "./support/main-behaviours";

describe("under Drizzle on SQLite", () => {
	describeMainBehaviours(openDrizzleSqlite, { lacks: ["transactions", "migrations"] });
});
