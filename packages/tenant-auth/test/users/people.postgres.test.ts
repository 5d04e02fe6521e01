import { describe } from "vitest";
import { services } from "../../../../testing/services";
import { openPostgres } from "../support/databases";
import { describePeople } from "../support/people-behaviors";

describe.skipIf(!services.postgres)("people of a tenant on PostgreSQL", () =>
	describePeople(() => openPostgres(String(services.postgres))),
);
