import { describe } from "vitest";
import { services } from "../../../../testing/services";
import { openPostgres } from "../support/databases";
import { describeOrganizationToTenant } from "../support/organization-to-tenant-behaviors";

describe.skipIf(!services.postgres)("organizationToTenant on PostgreSQL", () =>
	describeOrganizationToTenant(() => openPostgres(String(services.postgres))),
);
