import { describe } from "vitest";
import { services } from "../../../../testing/services";
import { describeCleanUp } from "../support/clean-up-behaviors";
import { openMysql } from "../support/databases";

describe.skipIf(!services.mysql)("cleanUp on MariaDB", () =>
	describeCleanUp(() => openMysql(String(services.mysql))),
);
