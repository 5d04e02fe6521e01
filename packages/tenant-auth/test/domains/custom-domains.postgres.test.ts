import { describe } from "vitest";
import { services } from "../../../../testing/services";
import { describeCustomDomains } from "../support/custom-domain-behaviors";
import { openPostgres } from "../support/databases";

describe.skipIf(!services.postgres)("custom domains on PostgreSQL", () =>
	describeCustomDomains(() => openPostgres(String(services.postgres))),
);
