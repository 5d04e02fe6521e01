import type { AuthContext } from "@better-auth/core";
import {
	type Column,
	type Compiled,
	columnsOf,
	decodeRow,
	type KnownDatabase,
} from "../statements/kysely";
import type { ReadSession, Row, SessionRead } from "./session-read";

/** Reads a session, its user and one more row with one statement, which is compiled once. */
export class SessionStatement {
	readonly #database: KnownDatabase;
	readonly #partition: SessionRead["partition"];
	readonly #byToken: Compiled;
	readonly #inPartition: Compiled | null;
	readonly #session: Column[];
	readonly #user: Column[];
	readonly #joined: Column[];

	constructor(
		database: KnownDatabase,
		{ join, partition }: Pick<SessionRead, "join" | "partition">,
	) {
		const { db, tableOf, columnOf } = database;
		const session = columnsOf(database, "session", "a.");
		const user = columnsOf(database, "user", "b.", session.length);
		const joined = join
			? columnsOf(database, join.model, "c.", session.length + user.length).filter(
					({ name }) => name === "id" || join.fields.includes(name),
				)
			: [];
		let query = db
			.selectFrom(`${tableOf("session")} as a`)
			.leftJoin(`${tableOf("user")} as b`, "b.id", `a.${columnOf("session", "userId")}`);
		if (join) {
			const by = `a.${columnOf("session", join.by)}`;
			query = query.leftJoin(`${tableOf(join.model)} as c`, "c.id", by);
		}
		const byToken = query
			.select([...session, ...user, ...joined].map(({ selected }) => selected))
			.where(`a.${columnOf("session", "token")}`, "=", "");
		this.#byToken = byToken.compile();
		// A session without its user is not valid, so the condition may be about the user too.
		this.#inPartition = partition
			? byToken
					.where(`a.${columnOf("session", partition.field)}`, "=", "")
					.where(`b.${columnOf("user", partition.field)}`, "=", "")
					.compile()
			: null;
		this.#partition = partition;
		this.#database = database;
		this.#session = session;
		this.#user = user;
		this.#joined = joined;
	}

	#queryOf(token: string): Compiled {
		const value = this.#partition?.of(token) ?? null;
		if (value === null || !this.#inPartition) return { ...this.#byToken, parameters: [token] };
		return { ...this.#inPartition, parameters: [token, value, value] };
	}

	async find(token: string): Promise<ReadSession | null> {
		const { db, config } = this.#database;
		const { rows } = await db.executeQuery(this.#queryOf(token));
		const [row] = rows;
		if (!row || rows.length > 1) return null;
		const decode = async (columns: Column[]): Promise<Row | null> => {
			const found = await decodeRow(row, columns, config);
			return (found.id ?? null) === null ? null : found;
		};
		const session = await decode(this.#session);
		const user = await decode(this.#user);
		// MySQL ignores case and trailing spaces.
		if (session?.token !== token || !(session.expiresAt instanceof Date) || !user) return null;
		return { session: session as ReadSession["session"], user, joined: await decode(this.#joined) };
	}
}

/** The names of the fields that no response contains, as in Better Auth's `parseUserOutput`. */
export function hiddenFields(
	{ options, tables }: Pick<AuthContext, "options" | "tables">,
	model: "session" | "user",
): string[] {
	const ofPlugins = (options.plugins ?? []).map(({ schema }) => schema?.[model]?.fields);
	const all = [tables[model]?.fields, options[model]?.additionalFields, ...ofPlugins];
	return Object.entries(Object.assign({}, ...all) as Record<string, { returned?: boolean }>)
		.filter(([, { returned }]) => returned === false)
		.map(([name]) => name);
}
