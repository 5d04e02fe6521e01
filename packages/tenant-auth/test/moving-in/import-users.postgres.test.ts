import { describe } from "vitest";
import { services } from "../../../../testing/services";
import { openPostgres } from "../support/databases";
import { describeImportUsers } from "../support/import-users-behaviors";

describe.skipIf(!services.postgres)("importing users on PostgreSQL", () =>
	describeImportUsers(() => openPostgres(String(services.postgres))),
);
