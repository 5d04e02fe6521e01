import { describe } from "vitest";
import { services } from "../../../testing/services";
import { openMysql } from "./support/databases";
import { describeUpgrade } from "./support/upgrade-behaviours";

describe.skipIf(!services.mysql)("an upgrade on MariaDB", () => {
	describeUpgrade(() => openMysql(String(services.mysql)));
});
