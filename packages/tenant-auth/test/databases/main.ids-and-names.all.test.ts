import { describe } from "vitest";
import { openSqlite } from "../support/databases/databases";
import { eachDatabase } from "../support/databases/each-database";
import { hostNames } from "../support/worlds/host-names";
import { idKinds } from "../support/worlds/id-kinds";
import type { InstanceOptions } from "../support/worlds/instance";
import { type Behavior, describeMainBehaviors } from "./main/describe-main-behaviors";

const only: Behavior[] = ["schema", "sessions", "erasing", "operating", "other plugins"];

/** Ids of so many characters, of which only the last ones differ. */
const longIds = (length: number): InstanceOptions => ({
	advanced: {
		database: { generateId: () => crypto.randomUUID().slice(-12).padStart(length, "i") },
	},
});

describe.each(eachDatabase)("on %s", (name, open) => {
	// Better Auth's migrations make ids of 36 characters on MariaDB.
	const longestId = name === "MariaDB" ? 36 : 128;
	// Where there is no type for them, UUIDs are texts like any other id.
	const hasUuids = name === "PostgreSQL";
	const variations: [string, () => InstanceOptions][] = [
		...idKinds.filter(([kind]) => kind === "serial ids" || (hasUuids && kind === "UUIDs")),
		[`ids of ${longestId} characters`, () => longIds(longestId)],
		["names of the host's own", hostNames],
	];

	describe.each(variations)("with %s", (_, options) => {
		describeMainBehaviors(open, { options, only });
	});
});

describe("on SQLite with tables in the plural", () => {
	describeMainBehaviors(openSqlite, {
		options: () => ({ usePlural: true }),
		lacks: ["migrations"],
		only: ["schema", "sessions", "mails", "other plugins"],
	});
});
