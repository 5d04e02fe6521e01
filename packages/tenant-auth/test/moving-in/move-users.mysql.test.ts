import { describe } from "vitest";
import { services } from "../../../../testing/services";
import { openMysql } from "../support/databases";
import { describeMoveUsers } from "../support/move-users-behaviors";

describe.skipIf(!services.mysql)("moving users on MariaDB", () =>
	describeMoveUsers(() => openMysql(String(services.mysql))),
);
