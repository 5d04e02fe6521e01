import { describe } from "vitest";
import { services } from "../../../../testing/services";
import { openPostgres } from "../support/databases";
import { describeSignInLog } from "../support/sign-in-log-behaviors";

describe.skipIf(!services.postgres)("the sign-in log on PostgreSQL", () =>
	describeSignInLog(() => openPostgres(String(services.postgres))),
);
