import { describe } from "vitest";
import { services } from "../../../../testing/services";
import { describeCleanUp } from "../support/clean-up-behaviors";
import { openPostgres } from "../support/databases";

describe.skipIf(!services.postgres)("cleanUp on PostgreSQL", () =>
	describeCleanUp(() => openPostgres(String(services.postgres))),
);
