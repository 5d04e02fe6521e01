import { describe } from "vitest";
import { openDrizzleSqlite } from "../support/drizzle-databases";
import { describeMainBehaviors } from "../support/main-behaviors";

describe("under Drizzle on SQLite", () => {
	describeMainBehaviors(openDrizzleSqlite, { lacks: ["transactions", "migrations"] });
});
