import type { BetterAuthOptions, GenericEndpointContext } from "@better-auth/core";
import { safeJSONParse } from "@better-auth/core/utils/json";
import { currentScope } from "../call/context/current-scope";
import {
	acrossTenants,
	defineCallState,
	findEndpoint,
	findState,
	runInScope,
} from "../call/context/current-state";
import { isOurPlugin } from "../call/context/endpoint-rules";
import { enterTenantOfSession } from "../call/context/gate";
import { dropCookies, findPresentedSessionTokens } from "../call/context/presented-sessions";
import type { RequestState, TenantInstance } from "../call/context/request-state";
import { ALL_TENANTS, PLATFORM, PLATFORM_ID, tenantIdOf } from "../call/context/tenant";
import type { FoundSession, InternalAdapter, StageParts } from "../database/internal-adapter";
import { featuresAdmit } from "./feature-stage";
import { mayBeCached } from "./session-policy";
import { isReservedKey } from "./stored-sessions";

type SecondaryStorage = NonNullable<BetterAuthOptions["secondaryStorage"]>;

/** What the running call has just read. */
const lastRead = defineCallState((): { token: string | null; found: FoundSession | null } => ({
	token: null,
	found: null,
}));

/** Makes the next `findSession` of the running call return what was found, without reading it again. */
export function keepForNextRead(token: string, found: FoundSession | null): void {
	Object.assign(lastRead.get(), { token, found });
}

interface Stores {
	storage: SecondaryStorage | undefined;
	/** Reads a session of any tenant, if only the database has sessions. */
	find: ((token: string) => Promise<FoundSession | null>) | undefined;
}

/**
 * Lets a session be valid in its own tenant only, wherever it is stored.
 *
 * With a secondary storage, core reads, changes and deletes sessions there, by their token or user id
 * alone, and not through the database adapter. So the check is here, where core asks for a session.
 */
export function isolateSessions(
	sessions: InternalAdapter,
	instance: TenantInstance,
	{ storage, find }: Stores,
): StageParts {
	/**
	 * A bearer token is whatever the client sends. It may be another key of the secondary storage, such
	 * as that of a code. Core fails on the value, and that would reveal that the key exists.
	 */
	const findInAllTenants = async (token: string): Promise<FoundSession | null> => {
		if (!isPossibleToken(token)) return null;
		if (find) return find(token);
		return acrossTenants(() => sessions.findSession(token)).catch(async (error: unknown) => {
			if (await isKeyOfOtherValue(storage, token)) return null;
			throw error;
		});
	};

	/** A token that no store knows may be used: the database is isolated anyway. */
	async function belongsToOtherTenant(token: string): Promise<boolean> {
		if (findState(instance)?.hasAccepted(token)) return false;
		const found = await findInAllTenants(token);
		return found !== null && !(await admitsSession(instance, found.session));
	}

	/** Whether a session belongs to the current scope. */
	async function ownership(): Promise<(session: object) => boolean> {
		const scope = await currentScope(instance);
		return (session) => scope === ALL_TENANTS || tenantIdOf(session) === scope.tenantId;
	}

	return {
		beforeSession: async () => {
			const state = findState(instance);
			if (state) state.sessionCreated = true;
			const ctx = findEndpoint();
			if (ctx && state && !state.actingAdmin && hasHooksAfter(ctx)) {
				// Their signatures are not verified. Some stores fail for a text that is not a token.
				for (const token of findPresentedSessionTokens(ctx)) {
					await belongsToOtherTenant(token).catch(() => true);
				}
				dropRejectedSession(ctx, state);
			}
		},
		findSession: async (token) => {
			const read = lastRead.find();
			if (read?.token === token) {
				read.token = null;
				return read.found;
			}
			const found = await findInAllTenants(token);
			if (!found || !isOfOneTenant(found)) return null;
			const state = findState(instance);
			if (isOfActingAdmin(state, found)) return found;
			// Core deletes an expired session. It does not decide the tenant any more.
			if (state?.sessionMayDecide && isExpired(found) && isCarried(instance, token)) return found;
			return (await admitsSession(instance, found.session)) ? found : null;
		},
		findUserById: async (userId) => {
			const admin = findState(instance)?.actingAdmin;
			if (!admin?.ending || admin.userId !== userId) return sessions.findUserById(userId);
			return runInScope(instance, PLATFORM, () => sessions.findUserById(userId));
		},
		findSessions: async (tokens, options) => {
			const found = await acrossTenants(() => sessions.findSessions(tokens, options));
			if (!(await resolveUnlessRefused(instance))) return [];
			const isOwn = await ownership();
			return found.filter((it) => isOwn(it.session) && isOfOneTenant(it));
		},
		listSessions: async (userId, options) =>
			(await sessions.listSessions(userId, options)).filter(await ownership()),
		updateSession: async (token, changes) => {
			const state = findState(instance);
			const found = state?.actingAdmin ? await findInAllTenants(token) : null;
			if (found && isOfActingAdmin(state, found)) {
				return runInScope(instance, PLATFORM, () => sessions.updateSession(token, changes));
			}
			return (await belongsToOtherTenant(token)) ? null : sessions.updateSession(token, changes);
		},
		deleteSession: (token) => deleteOwn([token], () => sessions.deleteSession(token)),
		/** A storage deletes them by the user's id alone. */
		deleteUserSessions: async (userId) => {
			if (!storage || (await ownsStoredSessions(userId))) await sessions.deleteUserSessions(userId);
		},
		deleteSessions: (tokens) => deleteOwn(tokens, (own) => sessions.deleteSessions(own)),
	};

	/** Core may list the sessions of the database, which shows only those of the current scope. */
	async function ownsStoredSessions(userId: string): Promise<boolean> {
		const isOwn = await ownership();
		const listed = await acrossTenants(() => sessions.listSessions(userId));
		if (listed.length > 0) return listed.every(isOwn);
		return (await sessions.findUserById(userId)) !== null;
	}

	async function deleteOwn(
		tokens: string[],
		deleteTokens: (own: string[]) => Promise<void>,
	): Promise<void> {
		const foreign = await Promise.all(tokens.map(belongsToOtherTenant));
		// A user of a suspended tenant may still sign out: the request's own session may be deleted.
		const refused = findState(instance)?.refusedScope("session");
		const own = tokens.filter((token, index) =>
			refused ? isCarried(instance, token) : !foreign[index],
		);
		if (own.length === 0) return;
		if (refused) await runInScope(instance, refused, () => deleteTokens(own));
		else await deleteTokens(own);
	}
}

/**
 * A bearer token is whatever the client sends. PostgreSQL fails on a NUL in a parameter. Core fails on
 * the list of a user's sessions, which it stores beside them: that would reveal who has any.
 */
const isPossibleToken = (token: string) => !token.includes("\0") && !isReservedKey(token);

async function isKeyOfOtherValue(
	storage: SecondaryStorage | undefined,
	key: string,
): Promise<boolean> {
	const stored = await storage?.get(key);
	if (stored === null || stored === undefined) return false;
	const value: unknown = typeof stored === "string" ? safeJSONParse(stored) : stored;
	const { session, user }: { session?: unknown; user?: unknown } = Object(value);
	return !session || !user;
}

/** Whether a session is that of the admin who acts in the request's tenant. */
const isOfActingAdmin = (state: RequestState | null, { session }: FoundSession): boolean =>
	state?.actingAdmin?.userId === session.userId;

const isExpired = ({ session }: FoundSession) => session.expiresAt <= new Date();

/** A session of one tenant for a user of another is not valid. */
function isOfOneTenant({ session, user }: { session: object; user: object }): boolean {
	return tenantIdOf(session) === tenantIdOf(user);
}

/**
 * Whether a session is valid in the running call. The session that the request carries resolves the
 * call's tenant, unless the request has named one: then a session of another tenant is rejected.
 */
async function admitsSession(instance: TenantInstance, session: object): Promise<boolean> {
	const state = findState(instance);
	const tenantId = tenantIdOf(session);
	if (!state) return tenantId === PLATFORM_ID;
	if (state.scope === ALL_TENANTS) return true;
	const token = "token" in session ? String(session.token) : "";
	// Another session than the request's own may be asked for first, if that came from a cookie cache.
	const decides = state.sessionMayDecide && isCarried(instance, token);
	if (decides) {
		if (await enterTenantOfSession(state, tenantId)) state.acceptSession(token);
		else if (state.resolution.kind === "refused") state.rejectSession(token);
	} else if (state.sessionMayDecide) await resolveUnlessRefused(instance);
	if (state.scope && tenantIdOf(state.scope) === tenantId) {
		state.acceptSession(token);
		return true;
	}
	if (!decides) state.rejectSession(token);
	return false;
}

/** Resolves the scope. Returns `false` if the request carries a session of a suspended tenant. */
async function resolveUnlessRefused(instance: TenantInstance): Promise<boolean> {
	try {
		await currentScope(instance);
		return true;
	} catch (error) {
		if (findState(instance)?.refusedScope("session")) return false;
		throw error;
	}
}

/**
 * Whether a session from the cookie cache is valid. It decides nothing: if the call goes on to read data,
 * the session's tenant passes the gate first.
 */
function admitsCachedSession(instance: TenantInstance, session: object): boolean {
	const state = findState(instance);
	const tenantId = tenantIdOf(session);
	if (!state) return tenantId === PLATFORM_ID;
	const { scope } = state;
	if (scope === ALL_TENANTS || state.sessionMayDecide) return true;
	if (scope?.tenantId === tenantId) return true;
	state.rejectSession("token" in session ? String(session.token) : "");
	return false;
}

/** Whether the request of the running call presents a token. */
function isCarried(instance: TenantInstance, token: string): boolean {
	const ctx = findState(instance)?.endpoint ?? findEndpoint();
	return ctx !== undefined && findPresentedSessionTokens(ctx).includes(token);
}

/** Whether any hook may ask for the session that the request came with, after it created another. */
function hasHooksAfter({ context: { options } }: GenericEndpointContext): boolean {
	const others = options.plugins?.filter((plugin) => !isOurPlugin(plugin)) ?? [];
	return Boolean(options.hooks?.after) || others.some(({ hooks }) => hooks?.after?.length);
}

/**
 * A sign-in replaces the session of another tenant that the browser had. If a later hook asked for
 * that one, core would find none and delete the cookies, which are the new session's.
 */
export function dropRejectedSession(ctx: GenericEndpointContext, state: RequestState): void {
	if (!findPresentedSessionTokens(ctx).some(state.hasRejected)) return;
	const { sessionToken, sessionData } = ctx.context.authCookies;
	dropCookies(ctx, sessionToken.name, sessionData.name);
}

/** A version that no cookie has. */
const REJECTED = "of another tenant";

/**
 * The app's options with an isolated cookie cache.
 *
 * With `cookieCache`, core takes a session from its cookie and asks no store. But it asks for the
 * version that the cookie must have, and passes the session. So a session of another tenant is
 * rejected there, however its cookie came.
 */
export function isolateCookieCache(
	options: BetterAuthOptions,
	instance: TenantInstance,
): BetterAuthOptions {
	const cookieCache = options.session?.cookieCache;
	if (!cookieCache?.enabled) return options;
	const { version: host = "1" } = cookieCache;
	const isNeverCached = featuresAdmit(instance);
	type Version = Extract<typeof host, (...input: never) => unknown>;
	const version: Version = async (session, user) => {
		if (!admitsCachedSession(instance, session)) return REJECTED;
		// Core also asks for the version when it writes the cookie. No later cookie has this one.
		const isChecked = isNeverCached && tenantIdOf(session) !== PLATFORM_ID;
		if (isChecked || !mayBeCached(findState(instance)?.tenant, session, user)) {
			return crypto.randomUUID();
		}
		return typeof host === "function" ? host(session, user) : host;
	};
	return { ...options, session: { ...options.session, cookieCache: { ...cookieCache, version } } };
}
