import { describe } from "vitest";
import { services } from "../../../../testing/services";
import { openPostgres } from "../support/databases";
import { describePolicy } from "../support/policy-behaviors";

describe.skipIf(!services.postgres)("a tenant's policy on PostgreSQL", () =>
	describePolicy(() => openPostgres(String(services.postgres))),
);
