import { describe } from "vitest";
import { services } from "../../../../testing/services";
import { openMysql } from "../support/databases";
import { describeQueryPlans } from "../support/query-plan-behaviors";

describe.skipIf(!services.mysql)("on MariaDB", () => {
	describeQueryPlans(() => openMysql(String(services.mysql)));
});
