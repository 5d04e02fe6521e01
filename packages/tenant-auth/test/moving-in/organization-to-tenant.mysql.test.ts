import { describe } from "vitest";
import { services } from "../../../../testing/services";
import { openMysql } from "../support/databases";
import { describeOrganizationToTenant } from "../support/organization-to-tenant-behaviors";

describe.skipIf(!services.mysql)("organizationToTenant on MariaDB", () =>
	describeOrganizationToTenant(() => openMysql(String(services.mysql))),
);
