import { describe } from "vitest";
import { services } from "../../../testing/services";
import { openPostgres } from "./support/databases";
import { describeMainBehaviours } from "./support/main-behaviours";
import { describeVariations } from "./support/variations";

describe.skipIf(!services.postgres)("on PostgreSQL", () => {
	const open = () => openPostgres(String(services.postgres));
	describeMainBehaviours(open);
	describeVariations(open, { longestId: 128, hasUuids: true });
});
