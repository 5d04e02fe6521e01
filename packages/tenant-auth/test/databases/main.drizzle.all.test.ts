import { describe } from "vitest";
import { services } from "../../../../testing/services";
import { openDrizzlePostgres, openDrizzleSqlite } from "../support/databases/drizzle-databases";
import { describeMainBehaviors } from "./main/describe-main-behaviors";

describe("under Drizzle on SQLite", () => {
	describeMainBehaviors(openDrizzleSqlite, { lacks: ["transactions", "migrations"] });
});

describe.skipIf(!services.postgres)("under Drizzle on PostgreSQL", () => {
	const open = () => openDrizzlePostgres(String(services.postgres));
	describeMainBehaviors(open, { lacks: ["migrations"] });
});
