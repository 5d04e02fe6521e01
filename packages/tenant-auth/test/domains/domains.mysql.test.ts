import { describe } from "vitest";
import { services } from "../../../../testing/services";
import { openMysql } from "../support/databases";
import { describeDomains } from "../support/domain-behaviors";

describe.skipIf(!services.mysql)("domains on MariaDB", () =>
	describeDomains(() => openMysql(String(services.mysql))),
);
