import { describe } from "vitest";
import { services } from "../../../../testing/services";
import { openMysql } from "../support/databases";
import { describePolicy } from "../support/policy-behaviors";

describe.skipIf(!services.mysql)("a tenant's policy on MariaDB", () =>
	describePolicy(() => openMysql(String(services.mysql))),
);
