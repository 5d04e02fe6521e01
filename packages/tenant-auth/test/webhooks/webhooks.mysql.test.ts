import { describe } from "vitest";
import { services } from "../../../../testing/services";
import { openMysql } from "../support/databases";
import { describeWebhooks } from "../support/webhook-behaviors";

describe.skipIf(!services.mysql)("webhooks on MariaDB", () =>
	describeWebhooks(() => openMysql(String(services.mysql))),
);
