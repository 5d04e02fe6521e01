/** A row as Better Auth's adapter returns it, also with the fields that no response contains. */
export type Row = Record<string, unknown>;

/** What one statement has read. */
export interface ReadSession {
	session: Row & { token: string; expiresAt: Date };
	user: Row;
	/** The row of the table that a plugin joins. */
	joined: Row | null;
}

/**
 * What a plugin does with a request that only reads the session. A plugin says it in its property
 * `sessionRead`. It promises that nothing is missing if its hooks, `onRequest` and `onResponse` do not
 * run, and that it does not change what Better Auth reads, except as it says here.
 *
 * @example
 * ```ts
 * const plugin = { id: "seats", hooks, sessionRead: { admits: ({ user }) => user.seat !== null } };
 * ```
 */
export interface SessionRead {
	/** A table whose row is read with the session, by its id. */
	join?: {
		model: string;
		/** The field of the session that has the id. It must be a text, and so must be the id. */
		by: string;
		/** What is read of it. */
		fields: readonly string[];
	};
	/** A field that a session and its user have in common, where the token of a session tells its value. */
	partition?: {
		field: string;
		/** `null` for a token that does not tell it. */
		of(token: string): string | null;
	};
	/** Whether the session is valid for the request, and nothing else has to be done. Otherwise Better Auth responds. */
	admits?(found: ReadSession, headers: Headers): boolean;
	/** What it adds to the headers of the response. */
	headers?: Readonly<Record<string, string>>;
}

export const sessionReadOf = (plugin: object): SessionRead | undefined =>
	"sessionRead" in plugin ? (plugin.sessionRead as SessionRead | undefined) : undefined;
