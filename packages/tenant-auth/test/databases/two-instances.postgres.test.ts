import { describe } from "vitest";
import { services } from "../../../../testing/services";
import { makeTwoInstances } from "../support/two-instances";
import { describeTwoInstances } from "../support/two-instances-behaviors";

describe.skipIf(!services.postgres)("two instances on one PostgreSQL", () => {
	describeTwoInstances(() => makeTwoInstances(String(services.postgres)));
});
