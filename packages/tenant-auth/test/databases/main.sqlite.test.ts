import { describe } from "vitest";
import { describeDatabaseVariations } from "../support/database-variations";
import { openSqlite } from "../support/databases";
import { describeMainBehaviors } from "../support/main-behaviors";

describe("on SQLite", () => {
	describeMainBehaviors(openSqlite);
	describeDatabaseVariations(openSqlite, { longestId: 128 });

	describe("with tables in the plural", () => {
		describeMainBehaviors(openSqlite, {
			options: () => ({ usePlural: true }),
			lacks: ["migrations"],
			only: ["schema", "sessions", "mails", "other plugins"],
		});
	});
});
