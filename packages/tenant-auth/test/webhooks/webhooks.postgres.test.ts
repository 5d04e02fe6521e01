import { describe } from "vitest";
import { services } from "../../../../testing/services";
import { openPostgres } from "../support/databases";
import { describeWebhooks } from "../support/webhook-behaviors";

describe.skipIf(!services.postgres)("webhooks on PostgreSQL", () =>
	describeWebhooks(() => openPostgres(String(services.postgres))),
);
