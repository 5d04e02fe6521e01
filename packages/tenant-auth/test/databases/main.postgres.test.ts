import { describe } from "vitest";
import { services } from "../../../../testing/services";
import { describeDatabaseVariations } from "../support/database-variations";
import { openPostgres } from "../support/databases";
import { describeMainBehaviors } from "../support/main-behaviors";

describe.skipIf(!services.postgres)("on PostgreSQL", () => {
	const open = () => openPostgres(String(services.postgres));
	describeMainBehaviors(open);
	describeDatabaseVariations(open, { longestId: 128, hasUuids: true });
});
