import { describe } from "vitest";
import { services } from "../../../testing/services";
import { openMysql } from "./support/databases";
import { describeMainBehaviours } from "./support/main-behaviours";

describe.skipIf(!services.mysql)("on MariaDB", () => {
	describeMainBehaviours(() => openMysql(String(services.mysql)));
});
