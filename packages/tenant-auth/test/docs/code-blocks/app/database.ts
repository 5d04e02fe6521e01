/** What pages leave to the app. */
import { Kysely, SqliteDialect } from "kysely";
import Database from "libsql";

const dialect = new SqliteDialect({ database: new Database(":memory:") });

export const database = { db: new Kysely({ dialect }), type: "sqlite" as const, transaction: true };
export const domains = new Map<string, { tenantId: string }>();
export const findDomain = async (hostname: string) => domains.get(hostname);
