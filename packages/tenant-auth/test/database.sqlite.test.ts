import { describe } from "vitest";
import { openSqlite } from "./support/databases";
import { describeMainBehaviours } from "./support/main-behaviours";
import { describeVariations } from "./support/variations";

describe("on SQLite", () => {
	describeMainBehaviours(openSqlite);
	describeVariations(openSqlite, { longestId: 128 });

	describe("with tables in the plural", () => {
		describeMainBehaviours(openSqlite, {
			options: () => ({ usePlural: true }),
			lacks: ["migrations"],
			only: ["schema", "sessions", "mails", "other plugins"],
		});
	});
});
