import { describe } from "vitest";
import { services } from "../../../../testing/services";
import { openMysql } from "../support/databases";
import { describeDirectAdapter } from "../support/direct-adapter-behaviors";

describe.skipIf(!services.mysql)("direct statements on MariaDB", () =>
	describeDirectAdapter(() => openMysql(String(services.mysql))),
);
