import type { AuthContext } from "@better-auth/core";
import type { Session } from "@better-auth/core/db";

/** Where core and all plugins read and write users, accounts, sessions and verifications. */
export type InternalAdapter = AuthContext["internalAdapter"];

/** A session and its user. */
export type FoundSession = NonNullable<Awaited<ReturnType<InternalAdapter["findSession"]>>>;

type CreateSession = InternalAdapter["createSession"];

/** What core's `createSession` gets besides the id of the user. */
export type SessionArguments =
	Parameters<CreateSession> extends [string, ...infer Rest] ? Rest : never;

/** What a stage changes. */
export interface StageParts extends Partial<Omit<InternalAdapter, "createSession">> {
	/** Whether a session that was found is valid, however it is asked for. */
	admits?: (found: FoundSession) => Promise<boolean>;
	/** Runs before core stores a new session. It throws to refuse the session. */
	beforeSession?: (userId: string) => Promise<void>;
	/** Changes what core makes a new session of. */
	sessionArguments?: (given: SessionArguments) => Promise<SessionArguments>;
	/** Runs after core has stored a new session. If it throws, nobody gets the session. */
	afterSession?: (session: Session) => Promise<void>;
	/** If core could not store a session: the error that the caller gets. */
	sessionError?: (error: unknown, userId: string) => Promise<unknown>;
}

/** One concern in the way from a caller to the internal adapter of core. */
export interface Stage {
	name: string;
	/** Why it is at its place in the list. */
	why: string;
	/** @param inner the methods as the later stages have changed them */
	around: (inner: InternalAdapter) => StageParts;
}

/**
 * The internal adapter with all stages around it. A call enters at the first stage and leaves core's method
 * backwards: `beforeSession` runs from the first stage to the last, `afterSession` from the last to the
 * first.
 */
export function composeStages(core: InternalAdapter, stages: readonly Stage[]): InternalAdapter {
	let adapter = core;
	const inwards: StageParts[] = [];
	for (const { around } of [...stages].reverse()) {
		const parts = around(adapter);
		const { admits, beforeSession, sessionArguments, afterSession, sessionError, ...methods } =
			parts;
		adapter = { ...adapter, ...(admits ? findersOf(adapter, admits) : {}), ...methods };
		inwards.unshift(parts);
	}
	const outwards = [...inwards].reverse();
	return {
		...adapter,
		createSession: async (userId, ...given) => {
			for (const { beforeSession } of inwards) await beforeSession?.(userId);
			let args = given;
			for (const { sessionArguments } of inwards) args = (await sessionArguments?.(args)) ?? args;
			const session = await core.createSession(userId, ...args).catch(async (reason: unknown) => {
				let error = reason;
				for (const { sessionError } of outwards) {
					if (sessionError) error = await sessionError(error, userId);
				}
				throw error;
			});
			// A hook of the app has kept core from storing it.
			if (!session) return session;
			for (const { afterSession } of outwards) await afterSession?.(session);
			return session;
		},
	};
}

/** The methods that find sessions, without those that are not admitted. */
function findersOf(
	inner: InternalAdapter,
	admits: NonNullable<StageParts["admits"]>,
): Pick<InternalAdapter, "findSession" | "findSessions"> {
	return {
		findSession: async (token) => {
			const found = await inner.findSession(token);
			return found && (await admits(found)) ? found : null;
		},
		findSessions: async (tokens, options) => {
			const found = await inner.findSessions(tokens, options);
			const admitted = await Promise.all(found.map(admits));
			return found.filter((_, index) => admitted[index]);
		},
	};
}
