// The app that the command imports into. BENCH_DATABASE is the address of its database.
import { betterAuth } from "better-auth";
import { tenantAuth } from "better-auth-tenant";
import { tenantImports } from "better-auth-tenant/imports";
import { keycloakPbkdf2 } from "better-auth-tenant/password-hashes";
import { Kysely, PostgresDialect, SqliteDialect } from "kysely";
import Libsql from "libsql";
import { Pool } from "pg";

const address = process.env.BENCH_DATABASE ?? "";
const isSqlite = address.startsWith("file:");

function openSqlite() {
	const database = new Libsql(address.slice("file:".length));
	database.exec("PRAGMA synchronous = NORMAL");
	return new SqliteDialect({ database });
}

const db = new Kysely({
	dialect: isSqlite
		? openSqlite()
		: new PostgresDialect({ pool: new Pool({ connectionString: address }) }),
});
const never = { verify: () => false };

export const auth = betterAuth({
	baseURL: "http://localhost:3000",
	secret: "k3Wq9-Zt7Lm2Xv5Rb8Nc1Hd6Jf4Gs0Py",
	telemetry: { enabled: false },
	database: { db, type: isSqlite ? "sqlite" : "postgres", transaction: true },
	emailAndPassword: { enabled: true },
	plugins: [
		tenantAuth(),
		tenantImports({
			passwordHashes: {
				bcrypt: never,
				"firebase-scrypt": never,
				"keycloak-pbkdf2": keycloakPbkdf2,
			},
		}),
	],
});
