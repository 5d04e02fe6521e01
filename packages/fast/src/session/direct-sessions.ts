import type { AuthContext, BetterAuthOptions, BetterAuthPlugin } from "@better-auth/core";
import { findKysely } from "../statements/kysely";
import { hasQuietHooks, isPlainApp, isTraced, PATH } from "./plain-app";
import { findSessionToken } from "./session-cookie";
import { type Row, type SessionRead, sessionReadOf } from "./session-read";
import { hiddenFields, SessionStatement } from "./session-statement";

type Hooks = NonNullable<NonNullable<BetterAuthPlugin["hooks"]>["before"]>;
type Input = Parameters<Hooks[number]["matcher"]>[0];

/** What Better Auth's endpoint sends with a session. */
const HEADERS = { "cache-control": "no-store", pragma: "no-cache" };

/** What Better Auth passes to an endpoint. */
interface Call {
	headers: Headers;
	request?: Request;
	method?: string;
	asResponse: boolean;
}

/** What Better Auth's endpoint returns. */
export interface FoundSession {
	session: Row;
	user: Row;
}

/**
 * Reads the session of a request as `/get-session` of Better Auth does, with one statement, and without a
 * router, contexts and hooks. It works for a valid session that is not due for renewal, in an app that
 * does nothing else at this endpoint. Everywhere else its methods return `null`, and Better Auth decides.
 */
export class DirectSessions {
	readonly #ctx: AuthContext;
	readonly #statement: SessionStatement;
	readonly #parts: SessionRead[];
	readonly #all: Hooks;
	readonly #after: Hooks;
	readonly #hidden: Record<keyof FoundSession, string[]>;
	/** Those of a response. */
	readonly headers: Record<string, string>;

	/** `null` for an app that is not known well enough. */
	static open(ctx: AuthContext, app: BetterAuthOptions): DirectSessions | null {
		const database = findKysely(ctx);
		if (!database || !isPlainApp(ctx, app)) return null;
		const { plugins = [], advanced } = ctx.options;
		const parts = plugins.flatMap((plugin) => sessionReadOf(plugin) ?? []);
		const [join, ...more] = parts.flatMap((part) => part.join ?? []);
		const [partition, ...others] = parts.flatMap((part) => part.partition ?? []);
		// Counted ids and UUIDs may have columns of other types than a text that refers to them.
		const hasOwnIds = typeof advanced?.database?.generateId === "string";
		if (more.length > 0 || others.length > 0 || (join && hasOwnIds)) return null;
		return new DirectSessions(ctx, new SessionStatement(database, { join, partition }), parts);
	}

	private constructor(ctx: AuthContext, statement: SessionStatement, parts: SessionRead[]) {
		const others = (ctx.options.plugins ?? []).filter((plugin) => !sessionReadOf(plugin));
		const after = others.filter((plugin) => !hasQuietHooks(plugin));
		this.#ctx = ctx;
		this.#statement = statement;
		this.#parts = parts;
		this.#after = after.flatMap(({ hooks }) => (hooks?.after ?? []) as Hooks);
		this.#all = [...others.flatMap(({ hooks }) => hooks?.before ?? []), ...this.#after];
		this.#hidden = { session: hiddenFields(ctx, "session"), user: hiddenFields(ctx, "user") };
		this.headers = Object.assign(
			{ ...HEADERS, "content-type": "application/json" },
			...parts.map(({ headers }) => headers),
		);
	}

	/** The token of a session that may be read directly. */
	async findToken(headers: Headers): Promise<string | null> {
		// While the schema is being checked, requests wait.
		if (isTraced(this.#ctx.options) || this.#ctx.checkSchema?.()) return null;
		return findSessionToken(this.#ctx, headers);
	}

	async find(token: string, call: Call): Promise<FoundSession | null> {
		try {
			if (this.#isWatched(this.#all, call, { session: null, returned: undefined })) return null;
			const found = await this.#statement.find(token);
			if (!found || this.#needsUpdate(found.session.expiresAt)) return null;
			if (!this.#parts.every(({ admits }) => admits?.(found, call.headers) ?? true)) return null;
			const { session, user } = found;
			for (const name of this.#hidden.session) Reflect.deleteProperty(session, name);
			for (const name of this.#hidden.user) Reflect.deleteProperty(user, name);
			const returned = { session, user };
			// Some hooks look at what was found.
			return this.#isWatched(this.#after, call, { session: returned, returned }) ? null : returned;
		} catch {
			// Better Auth meets the same problem, and reports it.
			return null;
		}
	}

	/** Whether a hook wants to run. It gets what Better Auth would pass to it. */
	#isWatched(hooks: Hooks, call: Call, seen: { session: FoundSession | null; returned: unknown }) {
		if (hooks.length === 0) return false;
		const responseHeaders = seen.session ? new Headers(HEADERS) : undefined;
		const context = { ...this.#ctx, ...seen, responseHeaders };
		const input = { ...call, path: PATH, operationId: "getSession", context } as Input;
		return hooks.some(({ matcher }) => matcher(input));
	}

	/** An expired session is deleted, one that was not used for long gets a later end. */
	#needsUpdate(expiresAt: Date): boolean {
		const { expiresIn, updateAge } = this.#ctx.sessionConfig;
		const now = Date.now();
		const end = expiresAt.getTime();
		return !(end > now && end - (expiresIn - updateAge) * 1000 > now);
	}
}
