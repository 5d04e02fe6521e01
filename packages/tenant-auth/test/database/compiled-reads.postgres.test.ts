import { describe } from "vitest";
import { services } from "../../../../testing/services";
import { describeCompiledReads } from "../support/compiled-reads-behaviors";
import { openPostgres } from "../support/databases";

describe.skipIf(!services.postgres)("compiled reads on PostgreSQL", () =>
	describeCompiledReads(() => openPostgres(String(services.postgres))),
);
