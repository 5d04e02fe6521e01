import { describe } from "vitest";
import { services } from "../../testing/services";
import { describeFloor } from "./describe-floor";

describe.skipIf(!services.postgres)("on PostgreSQL", () => {
	describeFloor("postgres", { postgres: services.postgres });
});
