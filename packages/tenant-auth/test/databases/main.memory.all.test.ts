import { describe } from "vitest";
import { openMemory } from "../support/databases/memory-database";
import { describeMainBehaviors } from "./main/describe-main-behaviors";

describe("on Better Auth's memory adapter", () => {
	describeMainBehaviors(openMemory, { lacks: ["unique indexes", "transactions", "migrations"] });
});
