import { describe } from "vitest";
import { services } from "../../../../testing/services";
import { openBetterSqlite3 } from "../support/databases/databases";
import { describeMainBehaviors } from "./main/describe-main-behaviors";

describe.skipIf(!services["better-sqlite3"])("on SQLite through better-sqlite3", () => {
	describeMainBehaviors(() => openBetterSqlite3(String(services["better-sqlite3"])));
});
