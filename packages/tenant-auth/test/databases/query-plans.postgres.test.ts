import { describe } from "vitest";
import { services } from "../../../../testing/services";
import { openPostgres } from "../support/databases";
import { describeQueryPlans } from "../support/query-plan-behaviors";

describe.skipIf(!services.postgres)("on PostgreSQL", () => {
	describeQueryPlans(() => openPostgres(String(services.postgres)));
});
