import { describe } from "vitest";
import { services } from "../../../../testing/services";
import { openPostgres } from "../support/databases";
import { describeDomains } from "../support/domain-behaviors";

describe.skipIf(!services.postgres)("domains on PostgreSQL", () =>
	describeDomains(() => openPostgres(String(services.postgres))),
);
