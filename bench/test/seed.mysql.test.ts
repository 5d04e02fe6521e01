import { describe } from "vitest";
import { services } from "../../testing/services";
import { describeSeededDatabase } from "./describe-seeded-database";

describe.skipIf(!services.mysql)("on MariaDB", () => {
	describeSeededDatabase("mysql", { mysql: services.mysql });
});
