import { describe } from "vitest";
import { services } from "../../../../testing/services";
import { openPostgres } from "../support/databases";
import { describeOwnProviders } from "../support/own-provider-behaviors";

describe.skipIf(!services.postgres)("a tenant's own identity provider on PostgreSQL", () =>
	describeOwnProviders(() => openPostgres(String(services.postgres))),
);
