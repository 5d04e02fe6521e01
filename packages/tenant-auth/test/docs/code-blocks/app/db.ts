import { Kysely, SqliteDialect } from "kysely";
import Database from "libsql";

interface Tables {
	customer: { id: string; name: string; slug: string };
	customer_user: { customer_id: string; user_id: string };
	user: { id: string; tenantId: string };
}

const dialect = new SqliteDialect({ database: new Database(":memory:") });

export const db = new Kysely<Tables>({ dialect });
