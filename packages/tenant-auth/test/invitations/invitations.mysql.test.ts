import { describe } from "vitest";
import { services } from "../../../../testing/services";
import { openMysql } from "../support/databases";
import { describeInvitations } from "../support/invitation-behaviors";

describe.skipIf(!services.mysql)("an invitation on MariaDB", () =>
	describeInvitations(() => openMysql(String(services.mysql))),
);
