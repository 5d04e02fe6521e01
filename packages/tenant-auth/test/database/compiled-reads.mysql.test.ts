import { describe } from "vitest";
import { services } from "../../../../testing/services";
import { describeCompiledReads } from "../support/compiled-reads-behaviors";
import { openMysql } from "../support/databases";

describe.skipIf(!services.mysql)("compiled reads on MariaDB", () =>
	describeCompiledReads(() => openMysql(String(services.mysql))),
);
