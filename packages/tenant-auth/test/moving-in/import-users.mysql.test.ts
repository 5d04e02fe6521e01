import { describe } from "vitest";
import { services } from "../../../../testing/services";
import { openMysql } from "../support/databases";
import { describeImportUsers } from "../support/import-users-behaviors";

describe.skipIf(!services.mysql)("importing users on MariaDB", () =>
	describeImportUsers(() => openMysql(String(services.mysql))),
);
