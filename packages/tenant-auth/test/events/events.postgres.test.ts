import { describe } from "vitest";
import { services } from "../../../../testing/services";
import { openPostgres } from "../support/databases";
import { describeEvents } from "../support/event-behaviors";

describe.skipIf(!services.postgres)("events on PostgreSQL", () =>
	describeEvents(() => openPostgres(String(services.postgres))),
);
