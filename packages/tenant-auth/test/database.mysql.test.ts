import { describe } from "vitest";
import { services } from "../../../testing/services";
import { openMysql } from "./support/databases";
import { describeMainBehaviours } from "./support/main-behaviours";
import { describeVariations } from "./support/variations";

describe.skipIf(!services.mysql)("on MariaDB", () => {
	const open = () => openMysql(String(services.mysql));
	describeMainBehaviours(open);
	// Better Auth's migrations make ids of 36 characters there.
	describeVariations(open, { longestId: 36 });
});
