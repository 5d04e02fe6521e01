import { describe } from "vitest";
import { services } from "../../../../testing/services";
import { openPostgres } from "../support/databases";
import { describeDirectAdapter } from "../support/direct-adapter-behaviors";

describe.skipIf(!services.postgres)("direct statements on PostgreSQL", () =>
	describeDirectAdapter(() => openPostgres(String(services.postgres))),
);
