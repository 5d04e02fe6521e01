import { describe } from "vitest";
import { describeDatabaseVariations } from "./support/database-variations";
import { openSqlite } from "./support/databases";
import { describeMainBehaviours } from "./support/main-behaviours";

describe("on SQLite", () => {
	describeMainBehaviours(openSqlite);
	describeDatabaseVariations(openSqlite, { longestId: 128 });

	describe("with tables in the plural", () => {
		describeMainBehaviours(openSqlite, {
			options: () => ({ usePlural: true }),
			lacks: ["migrations"],
			only: ["schema", "sessions", "mails", "other plugins"],
		});
	});
});
