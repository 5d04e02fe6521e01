import { describe } from "vitest";
import { services } from "../../../../testing/services";
import { openPostgres } from "../support/databases";
import { describeMoveUsers } from "../support/move-users-behaviors";

describe.skipIf(!services.postgres)("moving users on PostgreSQL", () =>
	describeMoveUsers(() => openPostgres(String(services.postgres))),
);
