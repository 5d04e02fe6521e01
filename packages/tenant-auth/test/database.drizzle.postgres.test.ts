import { describe } from "vitest";
import { services } from "../../../testing/services";
import { openDrizzlePostgres } from "./support/drizzle-databases";
import { describeMainBehaviours } from "./support/main-behaviours";

describe.skipIf(!services.postgres)("under Drizzle on PostgreSQL", () => {
	const open = () => openDrizzlePostgres(String(services.postgres));
	describeMainBehaviours(open, { lacks: ["migrations"] });
});
