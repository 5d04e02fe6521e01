import type { AuthContext, GenericEndpointContext } from "@better-auth/core";
import { tryGetCurrentAuthEndpointContext } from "@better-auth/core/context";
import type { SecondaryStorage } from "@better-auth/core/db";
import { currentScope } from "../context/current-scope";
import { dropCookies, findPresentedSessionTokens } from "../context/presented-sessions";
import {
	ACROSS,
	acrossTenants,
	type FoundSession,
	findRequestScope,
	PLATFORM,
	PLATFORM_ID,
	type RequestScope,
	runInScope,
	scopeOfRow,
	settle,
} from "../context/scope";
import { isVisitors } from "../context/visiting-administrator";
import {
	findManyNotingSuspension,
	findNotingSuspension,
	isOfSuspendedTenant,
	requireNoSuspension,
	requireUserNotSuspended,
} from "./suspension-mark";

type InternalAdapter = AuthContext["internalAdapter"];

/**
 * Lets a session count in its own tenant only, wherever it is kept.
 *
 * Sessions do not always come through the database adapter: with `secondaryStorage` they are read
 * from there, and changed and deleted there, by their token or user id alone. So the check stands in
 * front of both, where core asks for a session.
 */
export function scopeSessions(
	sessions: InternalAdapter,
	storage: SecondaryStorage | undefined,
): InternalAdapter {
	async function findAnywhere(token: string): Promise<FoundSession | null> {
		if (!isPossibleToken(token)) return null;
		const request = findRequestScope();
		if (request?.proof?.token !== token) {
			return acrossTenants(() => findNotingSuspension(() => sessions.findSession(token)));
		}
		// Once only: what is asked later may have changed meanwhile.
		const { found } = request.proof;
		delete request.proof;
		return found;
	}

	/** What no store knows any more may be tried: the database's side is scoped anyway. */
	async function isForeign(token: string): Promise<boolean> {
		if (findRequestScope()?.ownTokens?.has(token)) return false;
		const found = await findAnywhere(token);
		return found !== null && !(await admits(found.session));
	}

	/** The session of a suspended tenant is refused, but stays: it counts again afterwards. */
	async function isSuspended(found: FoundSession): Promise<boolean> {
		const request = findRequestScope();
		if (!request || request.scope === ACROSS || request.visitor?.leaves) return false;
		if (!(await isOfSuspendedTenant(found, storage))) return false;
		refuse(request, found.session.token);
		return true;
	}

	async function isSuspendedToken(token: string): Promise<boolean> {
		const found = await findAnywhere(token);
		return found !== null && (await isSuspended(found));
	}

	return {
		...sessions,
		createSession: async (...input) => {
			requireNoSuspension();
			const request = findRequestScope();
			if (request) request.sessionMade = true;
			const ctx = findEndpoint();
			if (ctx && !request?.visitor && hasHooksAfter(ctx)) {
				// Nobody has checked their signatures, and what is no token some stores fail on.
				for (const token of findPresentedSessionTokens(ctx)) {
					await isForeign(token).catch(() => true);
				}
				await dropRefusedSession(ctx);
			}
			return sessions.createSession(...input);
		},
		findSession: async (token) => {
			const found = await findAnywhere(token);
			if (!found || !isOfOneTenant(found)) return null;
			const request = findRequestScope();
			if (isVisitors(request, found.session)) return found;
			// Core deletes one that has expired. It tells no tenant any more.
			const isUntold = request && !request.scope && !request.claim;
			if (isUntold && isExpired(found) && isCarried(token)) return found;
			if (!(await admits(found.session))) return null;
			return (await isSuspended(found)) ? null : found;
		},
		findUserById: async (userId) => {
			const visitor = findRequestScope()?.visitor;
			if (visitor?.leaves && visitor.userId === userId) {
				return runInScope(PLATFORM, () => sessions.findUserById(userId));
			}
			const user = await sessions.findUserById(userId);
			requireUserNotSuspended();
			return user;
		},
		findUserByEmail: async (email, options) => {
			const user = await sessions.findUserByEmail(email, options);
			requireUserNotSuspended();
			return user;
		},
		findSessions: async (tokens, options) => {
			const { found, maybeSuspended } = await acrossTenants(() =>
				findManyNotingSuspension(() => sessions.findSessions(tokens, options), storage),
			);
			const isOwn = await ownership();
			const own = found.filter((it) => isOwn(it.session) && isOfOneTenant(it));
			const [first] = own;
			// They are of one tenant, and one of them tells whether it is suspended.
			if (!first || !maybeSuspended) return own;
			return (await isSuspendedToken(first.session.token)) ? [] : own;
		},
		listSessions: async (userId, options) =>
			(await sessions.listSessions(userId, options)).filter(await ownership()),
		updateSession: async (token, changes) => {
			const request = findRequestScope();
			const found = request?.visitor ? await findAnywhere(token) : null;
			if (found && isVisitors(request, found.session)) {
				return runInScope(PLATFORM, () => sessions.updateSession(token, changes));
			}
			return (await isForeign(token)) ? null : sessions.updateSession(token, changes);
		},
		deleteSession: async (token) => {
			if (!(await isForeign(token))) await sessions.deleteSession(token);
		},
		/** A storage deletes them by the user's id alone. */
		deleteUserSessions: async (userId) => {
			const isOwn = await ownership();
			if ((await sessions.listSessions(userId)).every(isOwn)) {
				await sessions.deleteUserSessions(userId);
			}
		},
		deleteSessions: async (tokens) => {
			const foreign = await Promise.all(tokens.map(isForeign));
			await sessions.deleteSessions(tokens.filter((_, index) => !foreign[index]));
		},
	};
}

/**
 * A bearer token is whatever the client sends. PostgreSQL fails on a NUL in a parameter, and core on
 * the list of a user's sessions, which it keeps beside them: that would tell who has any.
 */
const isPossibleToken = (token: string) =>
	!token.includes("\0") && !token.startsWith("active-sessions-");

const isExpired = ({ session }: FoundSession) => session.expiresAt <= new Date();

/** A session that was made in one tenant for a user of another shows nobody. */
function isOfOneTenant({ session, user }: { session: object; user: object }): boolean {
	return scopeOfRow(session).tenantId === scopeOfRow(user).tenantId;
}

/** Tells whether a session belongs to the current scope. */
async function ownership(): Promise<(session: object) => boolean> {
	const scope = await currentScope();
	return (session) => scope === ACROSS || scopeOfRow(session).tenantId === scope.tenantId;
}

/**
 * The session that a request carries settles its scope, unless the request has named a tenant
 * already: then a session of another one does not count.
 */
export async function admits(session: object): Promise<boolean> {
	const request = findRequestScope();
	const own = scopeOfRow(session);
	if (!request) return own.tenantId === PLATFORM_ID;
	if (request.scope === ACROSS) return true;
	const token = "token" in session ? String(session.token) : "";
	// Where a token tells the tenant, no session may do so before it.
	const mayTell = !request.awaits || request.awaits === "token-or-session";
	if (request.claim) await currentScope();
	else if (!request.scope && mayTell) {
		// Another one than the request's own may be asked for first, when that came from a cookie cache.
		if (isCarried(token)) settle(request, own);
		else await currentScope();
	}
	if (request.scope?.tenantId === own.tenantId) {
		request.ownTokens ??= new Set();
		request.ownTokens.add(token);
		return true;
	}
	refuse(request, token);
	return false;
}

function refuse(request: RequestScope, token: string): void {
	request.refusedTokens ??= new Set();
	request.refusedTokens.add(token);
}

const findEndpoint = () => tryGetCurrentAuthEndpointContext() as GenericEndpointContext | undefined;

function isCarried(token: string): boolean {
	const ctx = findEndpoint();
	return ctx !== undefined && findPresentedSessionTokens(ctx).includes(token);
}

/** Whether anybody might ask for the session that the request came with, after it has made another. */
function hasHooksAfter({ context: { options } }: GenericEndpointContext): boolean {
	const others = options.plugins?.filter(({ id }) => !id.startsWith("tenant-auth")) ?? [];
	return Boolean(options.hooks?.after) || others.some(({ hooks }) => hooks?.after?.length);
}

/**
 * A sign-in takes the place of the session of another tenant that the browser had. For a hook that
 * comes after it and asks for that one, core would find none and delete the cookies: the new ones.
 */
export async function dropRefusedSession(ctx: GenericEndpointContext): Promise<void> {
	const refused = findRequestScope()?.refusedTokens;
	if (!findPresentedSessionTokens(ctx).some((token) => refused?.has(token))) return;
	const { sessionToken, sessionData } = ctx.context.authCookies;
	dropCookies(ctx, sessionToken.name, sessionData.name);
}
