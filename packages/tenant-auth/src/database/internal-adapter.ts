import type { AuthContext } from "@better-auth/core";
import type { Session } from "@better-auth/core/db";

/** Where core and all plugins read and write users, accounts, sessions and verifications. */
export type InternalAdapter = AuthContext["internalAdapter"];

/** What a stage changes. */
export interface StageParts extends Partial<Omit<InternalAdapter, "createSession">> {
	/** Runs before core stores a new session. It throws to refuse the session. */
	beforeSession?: (userId: string) => Promise<void>;
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
	const before: NonNullable<StageParts["beforeSession"]>[] = [];
	const after: NonNullable<StageParts["afterSession"]>[] = [];
	const errors: NonNullable<StageParts["sessionError"]>[] = [];
	for (const { around } of [...stages].reverse()) {
		const { beforeSession, afterSession, sessionError, ...methods } = around(adapter);
		adapter = { ...adapter, ...methods };
		if (beforeSession) before.unshift(beforeSession);
		if (afterSession) after.push(afterSession);
		if (sessionError) errors.push(sessionError);
	}
	return {
		...adapter,
		createSession: async (userId, ...rest) => {
			for (const check of before) await check(userId);
			const session = await core.createSession(userId, ...rest).catch(async (reason: unknown) => {
				let error = reason;
				for (const translate of errors) error = await translate(error, userId);
				throw error;
			});
			// A hook of the app has kept core from storing it.
			if (!session) return session;
			for (const step of after) await step(session);
			return session;
		},
	};
}
