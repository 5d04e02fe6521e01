import { describe } from "vitest";
import { services } from "../../../../testing/services";
import { openDrizzlePostgres } from "../support/drizzle-databases";
import { describeMainBehaviors } from "../support/main-behaviors";

describe.skipIf(!services.postgres)("under Drizzle on PostgreSQL", () => {
	const open = () => openDrizzlePostgres(String(services.postgres));
	describeMainBehaviors(open, { lacks: ["migrations"] });
});
