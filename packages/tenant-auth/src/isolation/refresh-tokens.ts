import type { DBAdapter, Where } from "@better-auth/core/db/adapter";
import { APIError } from "@better-auth/core/error";
import { defineCallState, findEndpoint } from "../call/context/current-state";
import { rulesOf } from "../call/context/endpoint-rules";
import { ACCESS_TOKENS, REFRESH_TOKENS } from "../call/foreign";
import { isExact } from "./named-rows";
import type {
	AnyAdapter,
	Create,
	FindMany,
	FindOne,
	GrantSettings,
	IsolationSettings,
	Methods,
	Query,
	Row,
} from "./raw-adapter";
import { forgetOwners, idOf } from "./row-owners";
import { findCurrentPolicy, findPolicyOf, isOver, type Limited, needsMark } from "./session-policy";

interface RefreshToken extends Record<string, unknown> {
	id: unknown;
	clientId: string;
	userId: string;
	sessionId?: string | null;
	authorizationCodeId?: string | null;
	authTime?: Date | string | null;
	createdAt: Date;
	revoked?: Date | null;
	rotatedAt?: Date | null;
	rotationReplayExpiresAt?: Date | null;
	rotationReplayResponse?: string | null;
}

type SessionRow = Row & Limited & { id: string; token: string; expiresAt: Date };

/** The refresh token that the running call presents. */
const presented = defineCallState((): { token: RefreshToken | null } => ({ token: null }));

/** How often, and after how many milliseconds, the response of a simultaneous refresh is looked for. */
const LOOKS = 40;
const PAUSE = 50;

/**
 * Lets a refresh token of an OAuth provider be valid only as long as the session that it came from, or for
 * some applications until a fixed end.
 *
 * The OAuth provider asks neither for the session nor for the policy. It looks for a token in the adapter,
 * so one that has ended is not found here.
 */
export function guardRefreshTokens(
	methods: Methods,
	raw: AnyAdapter,
	{ instance, modelKey }: IsolationSettings,
	{ maxAge, outlivesSession, markAsUsed }: GrantSettings,
): Partial<Methods> {
	const isRefreshToken = ({ model }: Query) => modelKey(model) === REFRESH_TOKENS;

	async function findPresented(query: FindOne) {
		const find = () => methods.findOne<RefreshToken>(query);
		let token = await find();
		// The call that was faster has not stored its response yet. Both get the same.
		for (let look = 0; look < LOOKS && token && isBeingRotated(token); look += 1) {
			await new Promise((resolve) => setTimeout(resolve, PAUSE));
			token = await find();
		}
		const call = presented.find();
		if (call) call.token = token;
		return token && findValid(token);
	}

	/** The token, without a session that has expired; `null` if it has ended. */
	async function findValid(token: RefreshToken): Promise<RefreshToken | null> {
		// Used before. The plugin repeats its response, or ends the grant.
		if (token.revoked) return token;
		const { sessionId } = token;
		const session = sessionId
			? await methods.findOne<SessionRow>({
					model: "session",
					where: [{ field: "id", value: sessionId }],
				})
			: null;
		// Only a session that has expired leaves tokens, and takes their `sessionId`.
		if (sessionId && !session) return null;
		const policy = await (session ? findPolicyOf(instance, session) : findCurrentPolicy(instance));
		if (session && session.expiresAt > new Date() && !isOver(policy, session)) {
			if (refreshes() && needsMark(policy, session)) await markAsUsed(session.token);
			return token;
		}
		if (!(await outlivesSession(token.clientId))) return null;
		const used = { createdAt: signInOf(token), updatedAt: token.createdAt };
		return isOver(policy, used) ? null : { ...token, sessionId: undefined };
	}

	/** A token for an API, or a code, is valid no longer than its session is by the policy. */
	async function findSession<T>(query: FindOne): Promise<T | null> {
		const found = await methods.findOne<T>(query);
		if (!found) return null;
		const session = found as unknown as SessionRow;
		return isOver(await findPolicyOf(instance, session), session) ? null : found;
	}

	async function create<R>(query: Create): Promise<R> {
		const data = query.data as RefreshToken & { expiresAt: Date };
		const lastEnd = signInOf(data).getTime() + (await maxAge(data.clientId));
		// The limit of an application may have become shorter since the last refresh.
		if (lastEnd <= Date.now()) throw invalidGrant();
		const end = Math.min(data.expiresAt.getTime(), lastEnd);
		const limited = { ...query, data: { ...data, expiresAt: new Date(end) } };
		const created = await createUnlessEnded<R>(limited);
		const before = presented.find()?.token;
		if (before) await requireOpen(before, created);
		return created;
	}

	/** A session that ended meanwhile took its grant with it: the database refuses a token of it. */
	async function createUnlessEnded<R>(query: Create): Promise<R> {
		try {
			return await methods.create<Row, R>(query);
		} catch (error) {
			const { sessionId, refreshId } = query.data as { sessionId?: string; refreshId?: string };
			const isGone = async (model: string, id: string | undefined) =>
				Boolean(id) && !(await raw.findOne({ model, where: [{ field: "id", value: id ?? "" }] }));
			const hasEnded =
				(await isGone("session", sessionId)) || (await isGone(REFRESH_TOKENS, refreshId));
			throw hasEnded ? invalidGrant() : error;
		}
	}

	/**
	 * The plugin ends the old token and creates the new one in two statements. If the grant was ended in
	 * between, with all its tokens, the new one would stay. The update waits for a transaction that is
	 * deleting the old one.
	 */
	async function requireOpen(before: RefreshToken, created: unknown): Promise<void> {
		const count = await raw.updateMany({
			model: REFRESH_TOKENS,
			where: [{ field: "id", value: String(before.id) }],
			update: { rotatedAt: new Date() },
		});
		if (count > 0) return;
		const id = idOf(created);
		await raw.deleteMany({ model: REFRESH_TOKENS, where: [{ field: "id", value: id }] });
		await forgetOwners(raw, REFRESH_TOKENS, [id]);
		throw invalidGrant();
	}

	/**
	 * If a token is used again, the plugin deletes all tokens of the application and the user. Other
	 * devices have done nothing wrong, so only those go that came from the same sign-in.
	 */
	function ofOneGrant<Q extends Query>(query: Q): Q {
		const token = isRefreshToken(query) ? presented.find()?.token : null;
		if (!token || !namesAllOfUser(query.where ?? [])) return query;
		const { authorizationCodeId: code, id } = token;
		const same: Where = code
			? { field: "authorizationCodeId", value: code }
			: { field: "id", value: String(id) };
		return { ...query, where: [...(query.where ?? []), same] };
	}

	return {
		findOne: async <T>(query: FindOne) => {
			if (isRefreshToken(query) && query.where.some((it) => isExact(it, "token"))) {
				return (await findPresented(query)) as T | null;
			}
			const isSession = modelKey(query.model) === "session";
			return isSession && servesTokens() ? findSession<T>(query) : methods.findOne<T>(query);
		},
		create: <T extends Row, R = T>(query: Create & { data: Omit<T, "id"> }) => {
			if (isRefreshToken(query)) return create<R>(query);
			const isAccessToken = modelKey(query.model) === ACCESS_TOKENS;
			return isAccessToken ? createUnlessEnded<R>(query) : methods.create<T, R>(query);
		},
		findMany: <T>(query: FindMany) => methods.findMany<T>(ofOneGrant(query)),
		deleteMany: (query) => methods.deleteMany(ofOneGrant(query)),
		incrementOne: async <T>(query: Parameters<DBAdapter["incrementOne"]>[0]) => {
			const row = await methods.incrementOne<T>(query);
			if (!row && isRefreshToken(query) && query.set?.rotatedAt) throw refreshedMeanwhile();
			return row;
		},
	};
}

const rulesOfCall = () => rulesOf(findEndpoint()?.path);
const servesTokens = () => rulesOfCall().servesTokens === true;
const refreshes = () => rulesOfCall().refreshesTokens === true;

const signInOf = ({ authTime, createdAt }: Pick<RefreshToken, "authTime" | "createdAt">): Date =>
	new Date(authTime ?? createdAt);

const isBeingRotated = (token: RefreshToken): boolean =>
	refreshes() &&
	Boolean(token.revoked && token.rotatedAt) &&
	(token.rotationReplayExpiresAt ?? new Date(0)) > new Date() &&
	!token.rotationReplayResponse;

const namesAllOfUser = (where: Where[]): boolean =>
	where.length === 2 &&
	["clientId", "userId"].every((name) => where.some((it) => isExact(it, name)));

const invalidGrant = (more: object = {}) =>
	new APIError("BAD_REQUEST", {
		error: "invalid_grant",
		error_description: "invalid refresh token",
		...more,
	});

/** The client may repeat the call: within `refreshTokenReuseInterval` it gets the same new tokens. */
const refreshedMeanwhile = () => invalidGrant({ code: "REFRESHED_MEANWHILE" });
