import { describe } from "vitest";
import { services } from "../../../../testing/services";
import { describeDatabaseVariations } from "../support/database-variations";
import { openMysql } from "../support/databases";
import { describeMainBehaviors } from "../support/main-behaviors";

describe.skipIf(!services.mysql)("on MariaDB", () => {
	const open = () => openMysql(String(services.mysql));
	describeMainBehaviors(open);
	// Better Auth's migrations make ids of 36 characters there.
	describeDatabaseVariations(open, { longestId: 36 });
});
