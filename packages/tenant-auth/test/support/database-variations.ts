import { describe } from "vitest";
import type { OpenDatabase } from "./databases";
import { hostNames } from "./host-names";
import { idKinds } from "./id-kinds";
import type { InstanceOptions } from "./instance";
import { type Behavior, describeMainBehaviors } from "./main-behaviors";

const only: Behavior[] = ["schema", "sessions", "erasing", "operating", "other plugins"];

/** Ids of so many characters, of which only the last ones differ. */
const longIds = (length: number): InstanceOptions => ({
	advanced: {
		database: { generateId: () => crypto.randomUUID().slice(-12).padStart(length, "i") },
	},
});

/** A database with other ids and other names than the usual. */
export function describeDatabaseVariations(
	open: () => Promise<OpenDatabase>,
	{ longestId, hasUuids = false }: { longestId: number; hasUuids?: boolean },
): void {
	const variations: [string, () => InstanceOptions][] = [
		// Where there is no type for them, UUIDs are texts like any other id.
		...idKinds.filter(([name]) => name === "serial ids" || (hasUuids && name === "UUIDs")),
		[`ids of ${longestId} characters`, () => longIds(longestId)],
		["names of the host's own", hostNames],
	];
	describe.each(variations)("with %s", (_, options) => {
		describeMainBehaviors(open, { options, only });
	});
}
