import { describe } from "vitest";
import { services } from "../../../../testing/services";
import { openMysql } from "../support/databases";
import { describeOwnProviders } from "../support/own-provider-behaviors";

describe.skipIf(!services.mysql)("a tenant's own identity provider on MariaDB", () =>
	describeOwnProviders(() => openMysql(String(services.mysql))),
);
