import { describe } from "vitest";
import { services } from "../../../../testing/services";
import { describeCustomDomains } from "../support/custom-domain-behaviors";
import { openMysql } from "../support/databases";

describe.skipIf(!services.mysql)("custom domains on MariaDB", () =>
	describeCustomDomains(() => openMysql(String(services.mysql))),
);
