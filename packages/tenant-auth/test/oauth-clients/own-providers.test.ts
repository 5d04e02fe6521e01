import { describe } from "vitest";
import { openSqlite } from "../support/databases";
import { describeOwnProviders } from "../support/own-provider-behaviors";

describe("a tenant's own identity provider on SQLite", () => describeOwnProviders(openSqlite));
