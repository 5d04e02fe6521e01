import { describe } from "vitest";
import { services } from "../../../testing/services";
import { describeDatabaseVariations } from "./support/database-variations";
import { openPostgres } from "./support/databases";
import { describeMainBehaviours } from "./support/main-behaviours";

describe.skipIf(!services.postgres)("on PostgreSQL", () => {
	const open = () => openPostgres(String(services.postgres));
	describeMainBehaviours(open);
	describeDatabaseVariations(open, { longestId: 128, hasUuids: true });
});
