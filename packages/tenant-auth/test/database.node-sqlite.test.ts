import { describe } from "vitest";
import { services } from "../../../testing/services";
import { openNodeSqlite } from "./support/databases";
import { describeMainBehaviours } from "./support/main-behaviours";

describe.skipIf(!services["node-sqlite"])("on SQLite through node:sqlite", () => {
	describeMainBehaviours(() => openNodeSqlite(String(services["node-sqlite"])));
});
