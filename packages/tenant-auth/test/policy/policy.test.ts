import { describe } from "vitest";
import { openSqlite } from "../support/databases";
import { describePolicy } from "../support/policy-behaviors";

describe("a tenant's policy on SQLite", () => describePolicy(openSqlite));
