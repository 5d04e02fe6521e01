import { describe } from "vitest";
import { describeMainBehaviours } from "./support/main-behaviours";
import { openMemory } from "./support/memory-database";

describe("on Better Auth's memory adapter", () => {
	describeMainBehaviours(openMemory, { lacks: ["unique indexes", "transactions", "migrations"] });
});
