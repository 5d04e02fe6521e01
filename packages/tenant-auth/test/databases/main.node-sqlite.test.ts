import { describe } from "vitest";
import { services } from "../../../../testing/services";
import { openNodeSqlite } from "../support/databases";
import { describeMainBehaviors } from "../support/main-behaviors";

describe.skipIf(!services["node-sqlite"])("on SQLite through node:sqlite", () => {
	describeMainBehaviors(() => openNodeSqlite(String(services["node-sqlite"])));
});
