import type * as BetterAuth from "better-auth";
import type { BetterAuthOptions } from "better-auth";
import { createAuthMiddleware } from "better-auth/api";
import { getMigrations } from "better-auth/db/migration";
import { Kysely, SqliteDialect } from "kysely";
import Database from "libsql";
import { vi } from "vitest";
import { cheapPasswords } from "../../../tenant-auth/test/support/worlds/cheap-passwords";
import { cookiesOf, ORIGIN } from "../../../tenant-auth/test/support/worlds/plain-better-auth";

// Not the fast one of `TEST_HANDLER=fast`.
const { betterAuth } = await vi.importActual<typeof BetterAuth>("better-auth");

export const USER = { name: "Ada", email: "ada@example.com", password: "correct horse battery" };

type Rows = Record<string, Record<string, unknown>[]>;
type Handler = (request: Request) => Promise<Response>;

export interface ComparedApp {
	auth: ReturnType<typeof betterAuth>;
	/** The cookies of a session of {@link USER}. */
	cookie: string;
	/** What a request leads to. The database is as before afterwards. */
	observe(handler: Handler, request: Request): Promise<Observed>;
	/** All rows. */
	rows(): Rows;
	/** Changes rows. */
	execute(sql: string): void;
	/** The statements of the last request. */
	statements: string[];
}

export interface Filled {
	rows: Rows;
	cookie: string;
}

/** Everything that a handler does for a request. */
export interface Observed {
	response: { status: number; statusText: string; headers: [string, string][]; body: string };
	/** All rows afterwards, if the request wrote any. */
	rows: Rows | null;
	/** Log lines, and calls of hooks. */
	calls: unknown[];
}

/** Writes the first rows. Returns the cookies of a session. */
export type Fill = (auth: ComparedApp["auth"]) => Promise<string>;

/** An app whose database is filled, and that writes down what it does. */
export async function makeComparedApp(
	options: BetterAuthOptions,
	{ watched, filled, fill = signUp }: { watched: boolean; filled?: Filled; fill?: Fill },
): Promise<ComparedApp> {
	const database = new Database(":memory:");
	const statements: string[] = [];
	const db = new Kysely({
		dialect: new SqliteDialect({ database }),
		log: ({ query }) => void statements.push(query.sql),
	});
	const calls: unknown[] = [];
	let start: Rows | undefined;
	const all: BetterAuthOptions = {
		baseURL: ORIGIN,
		secret: "a secret of the comparison with 32 characters",
		database: { db, type: "sqlite", transaction: true },
		emailAndPassword: { ...cheapPasswords, enabled: true },
		socialProviders: { github: { clientId: "client", clientSecret: "secret" } },
		rateLimit: { enabled: false },
		...options,
		advanced: { disableOriginCheck: false, disableCSRFCheck: false, ...options.advanced },
		logger: { level: "debug", log: (...line) => void calls.push(["log", ...line.map(String)]) },
		...(watched ? watchers(calls) : {}),
	};
	await (await getMigrations(all)).runMigrations();
	const auth = betterAuth(all);
	await (await auth.$context).checkSchema?.();
	// Tenants look at the database beside the start.
	await auth.handler(new Request(`${ORIGIN}/api/auth/ok`));
	const tables = tablesOf(database);
	const rows = () =>
		Object.fromEntries(
			tables.map((name) => [name, database.prepare(`select * from "${name}"`).all()]),
		) as Rows;
	if (filled) replaceRows(database, filled.rows);

	const observe = async (handler: Handler, request: Request): Promise<Observed> => {
		calls.length = 0;
		statements.length = 0;
		start ??= rows();
		const before = changesOf(database);
		const response = await handler(request).then(describeResponse, describeError);
		if (changesOf(database) === before) return { response, rows: null, calls: [...calls] };
		const written = rows();
		replaceRows(database, start);
		return { response, rows: written, calls: [...calls] };
	};
	const execute = (sql: string) => void database.exec(sql);
	return { auth, cookie: filled?.cookie ?? (await fill(auth)), observe, rows, execute, statements };
}

let signedUp = 0;

async function signUp({ handler }: ComparedApp["auth"]): Promise<string> {
	signedUp += 1;
	const headers = {
		...{ "content-type": "application/json", origin: ORIGIN },
		// Better Auth limits sign-ups by address, in the memory of the process.
		"x-forwarded-for": `10.0.${signedUp >> 8}.${signedUp & 255}`,
	};
	const url = `${ORIGIN}/api/auth/sign-up/email`;
	const init = { method: "POST", headers, body: JSON.stringify(USER) };
	const response = await handler(new Request(url, init));
	if (response.status !== 200) throw new Error(await response.text());
	return cookiesOf(response);
}

/** Hooks of the app that write down that they ran. */
function watchers(calls: unknown[]): Pick<BetterAuthOptions, "hooks" | "databaseHooks"> {
	const hook = (name: string) =>
		createAuthMiddleware(async ({ path, method, query, body, headers, context }) => {
			const { session, returned, baseURL, trustedOrigins } = context;
			const seen = { query, body, headers: [...(headers ?? [])], session, baseURL, trustedOrigins };
			calls.push([name, path, method, JSON.stringify(seen), JSON.stringify(returned)]);
		});
	const row = (name: string) => async (data: object) => void calls.push([name, { ...data }]);
	const around = (model: string) => ({
		create: { after: row(`${model} created`) },
		update: { after: row(`${model} updated`) },
		delete: { after: row(`${model} deleted`) },
	});
	return {
		hooks: { before: hook("before"), after: hook("after") },
		databaseHooks: { user: around("user"), session: around("session") },
	};
}

async function describeResponse(response: Response): Promise<Observed["response"]> {
	const { status, statusText, headers } = response;
	return { status, statusText, headers: [...headers], body: await response.text() };
}

const describeError = (error: Error): Observed["response"] => ({
	status: 0,
	statusText: error.name,
	headers: [],
	body: error.message,
});

function tablesOf(database: Database.Database): string[] {
	const statement = "select name from sqlite_master where type = 'table' order by name";
	return (database.prepare(statement).all() as { name: string }[]).map(({ name }) => name);
}

const changesOf = (database: Database.Database) =>
	(database.prepare("select total_changes() as n").all() as { n: number }[])[0]?.n;

function replaceRows(database: Database.Database, rows: Rows): void {
	database.exec("pragma foreign_keys = off");
	for (const [table, list] of Object.entries(rows)) {
		database.exec(`delete from "${table}"`);
		for (const row of list) {
			const columns = Object.keys(row).map((name) => `"${name}"`);
			const marks = columns.map(() => "?");
			const statement = `insert into "${table}" (${columns}) values (${marks})`;
			database.prepare(statement).run(...Object.values(row));
		}
	}
	database.exec("pragma foreign_keys = on");
}
