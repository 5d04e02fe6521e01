import { fastStatements } from "better-auth-fast";
import { Kysely, PostgresDialect } from "kysely";
import type { Pool } from "pg";
import { services } from "../../../../../testing/services";
import { openPostgres } from "../../support/databases/databases";
import type { Rows } from "../../support/worlds/instance";
import { describeSignUpLock } from "./describe-sign-up-lock";

const { postgres } = services;
const open = postgres ? () => openPostgres(postgres) : null;

describeSignUpLock("PostgreSQL", open);

describeSignUpLock("PostgreSQL with fastStatements()", open, ({ pool, type }) => {
	const db = new Kysely<Rows>({ dialect: new PostgresDialect({ pool: pool as Pool }) });
	return { on: { db, type }, plugins: [fastStatements()], pluginsFirst: true };
});
