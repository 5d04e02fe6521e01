import { describe } from "vitest";
import { describeMainBehaviors } from "../support/main-behaviors";
import { openMemory } from "../support/memory-database";

describe("on Better Auth's memory adapter", () => {
	describeMainBehaviors(openMemory, { lacks: ["unique indexes", "transactions", "migrations"] });
});
