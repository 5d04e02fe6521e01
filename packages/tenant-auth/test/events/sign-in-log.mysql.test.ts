import { describe } from "vitest";
import { services } from "../../../../testing/services";
import { openMysql } from "../support/databases";
import { describeSignInLog } from "../support/sign-in-log-behaviors";

describe.skipIf(!services.mysql)("the sign-in log on MariaDB", () =>
	describeSignInLog(() => openMysql(String(services.mysql))),
);
