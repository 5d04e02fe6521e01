import { describe } from "vitest";
import { openSqlite } from "../support/databases";
import { describePeople } from "../support/people-behaviors";

describe("people of a tenant on SQLite", () => describePeople(openSqlite));
