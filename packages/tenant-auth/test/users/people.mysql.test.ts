import { describe } from "vitest";
import { services } from "../../../../testing/services";
import { openMysql } from "../support/databases";
import { describePeople } from "../support/people-behaviors";

describe.skipIf(!services.mysql)("people of a tenant on MariaDB", () =>
	describePeople(() => openMysql(String(services.mysql))),
);
