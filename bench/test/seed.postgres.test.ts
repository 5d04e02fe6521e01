import { describe } from "vitest";
import { services } from "../../testing/services";
import { describeSeededDatabase } from "./describe-seeded-database";

describe.skipIf(!services.postgres)("on PostgreSQL", () => {
	describeSeededDatabase("postgres", { postgres: services.postgres });
});
