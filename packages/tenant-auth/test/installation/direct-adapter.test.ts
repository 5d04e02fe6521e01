import { describe } from "vitest";
import { openSqlite } from "../support/databases";
import { describeDirectAdapter } from "../support/direct-adapter-behaviors";

describe("direct statements on SQLite", () => describeDirectAdapter(openSqlite));
