import { describe } from "vitest";
import { services } from "../../../../testing/services";
import { openPostgres } from "../support/databases";
import { describeInvitations } from "../support/invitation-behaviors";

describe.skipIf(!services.postgres)("an invitation on PostgreSQL", () =>
	describeInvitations(() => openPostgres(String(services.postgres))),
);
