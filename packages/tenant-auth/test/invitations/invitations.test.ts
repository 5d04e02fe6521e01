import { describe } from "vitest";
import { openSqlite } from "../support/databases";
import { describeInvitations } from "../support/invitation-behaviors";

describe("an invitation on SQLite", () => describeInvitations(openSqlite));
