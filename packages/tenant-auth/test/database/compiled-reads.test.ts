import { describe } from "vitest";
import { describeCompiledReads } from "../support/compiled-reads-behaviors";
import { openSqlite } from "../support/databases";

describe("compiled reads on SQLite", () => describeCompiledReads(openSqlite));
