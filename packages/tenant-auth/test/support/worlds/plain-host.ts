import { type BetterAuthOptions, betterAuth } from "better-auth";
import { getMigrations } from "better-auth/db/migration";
import { type Kysely, sql } from "kysely";
import { cheapPasswords } from "./cheap-passwords";
import { type HostDatabase, type InstanceOptions, ORIGIN, type Rows } from "./instance";

/** An app before it has tenants: Better Auth alone, with the tables of its own migration. */
export async function makePlainHost(on: HostDatabase, options: Partial<InstanceOptions> = {}) {
	const resetTokens: string[] = [];
	const { tenants: _, ...rest } = options;
	const complete = {
		secret: "a secret of thirty-two characters or more",
		logger: { disabled: true },
		telemetry: { enabled: false },
		...rest,
		emailAndPassword: {
			...cheapPasswords,
			enabled: true,
			sendResetPassword: async ({ token }) => void resetTokens.push(token),
		},
		baseURL: ORIGIN,
		database: on.pool ?? { db: sqlOf(on), type: on.type, transaction: true },
	} satisfies BetterAuthOptions;
	await (await getMigrations(complete)).runMigrations();
	const auth = betterAuth(complete);

	async function signUp(email: string, password = "correct horse battery") {
		const { headers, response } = await auth.api.signUpEmail({
			body: { name: "User", email, password },
			returnHeaders: true,
		});
		const cookie = headers.getSetCookie().map((it) => it.split(";")[0]);
		return { userId: response.user.id, cookie: cookie.join("; ") };
	}

	async function linkSocial(userId: string, providerId: string, accountId: string) {
		const { internalAdapter } = await auth.$context;
		await internalAdapter.createAccount({ userId, providerId, accountId });
	}

	async function requestReset(email: string): Promise<string> {
		await auth.api.requestPasswordReset({ body: { email } });
		return resetTokens.at(-1) ?? "";
	}

	return { auth, signUp, linkSocial, requestReset };
}

export type PlainHost = Awaited<ReturnType<typeof makePlainHost>>;

const CATALOGS = {
	sqlite: ["select type, name, tbl_name, sql from sqlite_master order by type, name"],
	postgres: [
		`select table_name, column_name, data_type, is_nullable, column_default
			from information_schema.columns where table_schema = current_schema() order by 1, 2`,
		"select indexname, indexdef from pg_indexes where schemaname = current_schema() order by 1",
	],
	mysql: [
		`select table_name as t, column_name as c, column_type as y, is_nullable as n, column_default as d
			from information_schema.columns where table_schema = database() order by 1, 2`,
		`select table_name as t, index_name as i, non_unique as u, column_name as c
			from information_schema.statistics where table_schema = database() order by 1, 2, seq_in_index`,
	],
};

/** Everything in the schema of a database. */
export async function schemaOf(on: HostDatabase): Promise<unknown[][]> {
	return Promise.all(CATALOGS[on.type].map((query) => runSql(on, query)));
}

export function sqlOf({ db }: HostDatabase): Kysely<Rows> {
	if (!db) throw new Error("this database has no SQL");
	return db;
}

export async function runSql(on: HostDatabase, statement: string): Promise<unknown[]> {
	return (await sql.raw(statement).execute(sqlOf(on))).rows;
}

export function spelling({ type }: HostDatabase) {
	const isMysql = type === "mysql";
	const sign = isMysql ? "`" : '"';
	return {
		quote: (name: string) => sign + name + sign,
		text: isMysql ? "varchar(255)" : "text",
		short: isMysql ? "varchar(191)" : "text",
		/** On MySQL an index covers only the beginning of a text. */
		part: isMysql ? "(100)" : "",
	};
}
