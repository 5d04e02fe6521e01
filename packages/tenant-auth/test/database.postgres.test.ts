import { describe } from "vitest";
import { services } from "../../../testing/services";
import { openPostgres } from "./support/databases";
import { idKinds } from "./support/id-kinds";
import { describeMainBehaviours } from "./support/main-behaviours";

describe.skipIf(!services.postgres).each(idKinds)("on PostgreSQL with %s", (_, options) => {
	describeMainBehaviours(() => openPostgres(String(services.postgres)), options);
});
