import { describe } from "vitest";
import { openSqlite } from "./support/databases";
import { idKinds } from "./support/id-kinds";
import { describeMainBehaviours } from "./support/main-behaviours";

describe.each(idKinds)("on SQLite with %s", (_, options) => {
	describeMainBehaviours(openSqlite, options);
});
