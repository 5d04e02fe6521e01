import { describe } from "vitest";
import { services } from "../../../testing/services";
import { openPostgres } from "./support/databases";
import { describeMainBehaviours } from "./support/main-behaviours";

describe.skipIf(!services.postgres)("on PostgreSQL", () => {
	describeMainBehaviours(() => openPostgres(String(services.postgres)));
});
