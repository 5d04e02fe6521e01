import { describe } from "vitest";
import { services } from "../../../testing/services";
import { openPostgres } from "./support/databases";
import { describeUpgrade } from "./support/upgrade-behaviours";

describe.skipIf(!services.postgres)("an upgrade on PostgreSQL", () => {
	describeUpgrade(() => openPostgres(String(services.postgres)));
});
