import { describe } from "vitest";
import { services } from "../../../../testing/services";
import { openMysql } from "../support/databases";
import { describeEvents } from "../support/event-behaviors";

describe.skipIf(!services.mysql)("events on MariaDB", () =>
	describeEvents(() => openMysql(String(services.mysql))),
);
