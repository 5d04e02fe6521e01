import { describe } from "vitest";
import { services } from "../../../testing/services";
import { openBetterSqlite3 } from "./support/databases";
import { describeMainBehaviours } from "./support/main-behaviours";

describe.skipIf(!services["better-sqlite3"])("on SQLite through better-sqlite3", () => {
	describeMainBehaviours(() => openBetterSqlite3(String(services["better-sqlite3"])));
});
