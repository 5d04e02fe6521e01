import { describe } from "vitest";
import { services } from "../../../../testing/services";
import { openNodeSqlite } from "../support/databases/databases";
import { describeMainBehaviors } from "./main/describe-main-behaviors";

describe.skipIf(!services["node-sqlite"])("on SQLite through node:sqlite", () => {
	describeMainBehaviors(() => openNodeSqlite(String(services["node-sqlite"])));
});
