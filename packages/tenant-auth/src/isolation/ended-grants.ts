import type { DBTransactionAdapter, Where } from "@better-auth/core/db/adapter";
import { currentScope } from "../context/current-scope";
import { ALL_TENANTS, PLATFORM } from "../context/tenant";
import type { TenantPolicy } from "../policy/tenant-policy";
import { ACCESS_TOKENS, CONSENTS, REFRESH_TOKENS } from "./grants";
import {
	type AnyAdapter,
	type IsolationSettings,
	inOwnTransaction,
	type Query,
	type Row,
} from "./raw-adapter";
import { idOf, inBatches } from "./row-owners";
import { findPolicyOf, isOver, type Limited } from "./session-policy";

type Methods = Omit<DBTransactionAdapter, "id" | "options" | "createSchema">;

/** More than any write concerns. The adapter's default page of 100 must not cut the list. */
const ALL = 100_000;

/**
 * Ends the tokens of an OAuth provider with what they came from: a session, or the consent of a user.
 *
 * Better Auth and its plugins end sessions at many endpoints, and the OAuth provider lets refresh tokens
 * outlive them all. All of these endpoints delete rows through the adapter, so the tokens are deleted
 * here, in the same transaction. A new way to end a session cannot miss it.
 *
 * A session that has expired ends nothing: its tokens lose their session, and `refresh-tokens.ts` decides
 * whether they may go on.
 */
export function endGrantsWithRows(
	adapter: AnyAdapter,
	methods: Methods,
	{ instance, modelKey, grants }: IsolationSettings,
): Partial<Methods> {
	if (!grants) return {};

	const isCause = ({ model }: Query) => ["session", CONSENTS].includes(modelKey(model));
	const endsSessions = ({ model, update }: Query & { update: Row }) =>
		modelKey(model) === "session" &&
		update.expiresAt instanceof Date &&
		update.expiresAt <= new Date();

	/** The tokens go first: the database forgets their session when its row is deleted. */
	async function together<R>(
		{ model, where = [] }: Query,
		write: (methods: Methods) => Promise<R>,
	): Promise<R> {
		// Before the transaction: it may read the tenant, with another connection.
		const scope = await currentScope(instance);
		const policy = await findPolicyOf(instance, scope === ALL_TENANTS ? PLATFORM : scope);
		const here = async () => {
			await (modelKey(model) === "session"
				? endWithSessions(where, policy)
				: endWithConsents(where));
			return write(methods);
		};
		return inOwnTransaction(adapter, here, write);
	}

	async function endWithSessions(where: Where[], policy: TenantPolicy): Promise<void> {
		const users = findWholeUsers(where);
		if (users.length > 0) return endTokens(methods, [isIn("userId", users)]);
		type SessionRow = Row & Limited & { expiresAt: Date };
		const rows = await methods.findMany<SessionRow>({ model: "session", where, limit: ALL });
		const hasExpired = (row: SessionRow) => row.expiresAt <= new Date() || isOver(policy, row);
		const idsOf = (some: SessionRow[]) => inBatches(some.map(idOf));
		for (const ids of idsOf(rows.filter((row) => !hasExpired(row)))) {
			await endTokens(methods, [isIn("sessionId", ids)]);
		}
		// Not every database does it by itself.
		for (const ids of idsOf(rows.filter(hasExpired))) {
			for (const model of [ACCESS_TOKENS, REFRESH_TOKENS]) {
				const query = { model, where: [isIn("sessionId", ids)] };
				await methods.updateMany({ ...query, update: { sessionId: null } });
			}
		}
	}

	async function endWithConsents(where: Where[]): Promise<void> {
		type Consent = { clientId: string; userId?: string | null };
		const consents = await methods.findMany<Consent>({ model: CONSENTS, where, limit: ALL });
		for (const { clientId, userId } of consents) {
			if (!userId) continue;
			await endTokens(methods, [
				{ field: "clientId", value: clientId },
				{ field: "userId", value: userId },
			]);
		}
	}

	return {
		delete: (query) =>
			isCause(query) ? together(query, (it) => it.delete(query)) : methods.delete(query),
		deleteMany: (query) =>
			isCause(query) ? together(query, (it) => it.deleteMany(query)) : methods.deleteMany(query),
		consumeOne: <T>(query: Parameters<Methods["consumeOne"]>[0]) =>
			isCause(query)
				? together(query, (it) => it.consumeOne<T>(query))
				: methods.consumeOne<T>(query),
		// With `preserveSessionInDatabase` core lets sessions expire.
		update: <T>(query: Parameters<Methods["update"]>[0]) =>
			endsSessions(query) ? together(query, (it) => it.update<T>(query)) : methods.update<T>(query),
		updateMany: (query) =>
			endsSessions(query)
				? together(query, (it) => it.updateMany(query))
				: methods.updateMany(query),
	};
}

/** Ends tokens of the scope. Access tokens go first: they reference their refresh token. */
export async function endTokens(
	database: Pick<DBTransactionAdapter, "findMany" | "deleteMany">,
	where: Where[],
): Promise<void> {
	const tokens = { model: REFRESH_TOKENS, where, select: ["id"], limit: ALL };
	const refreshTokens = (await database.findMany(tokens)).map(idOf);
	for (const ids of inBatches(refreshTokens)) {
		await database.deleteMany({ model: ACCESS_TOKENS, where: [isIn("refreshId", ids)] });
	}
	await database.deleteMany({ model: ACCESS_TOKENS, where });
	await database.deleteMany({ model: REFRESH_TOKENS, where });
}

const isIn = (field: string, value: string[]): Where => ({ field, operator: "in", value });

/**
 * The users of whom a condition names all sessions. Then also tokens end whose session has expired
 * before.
 */
function findWholeUsers(where: Where[]): string[] {
	const [first, ...others] = where.filter(
		({ field, operator }) => field !== "expiresAt" || operator !== "gt",
	);
	if (first?.field !== "userId" || others.length > 0) return [];
	const { operator = "eq", value } = first;
	if (operator === "in" && Array.isArray(value)) return value.map(String);
	return operator === "eq" && value !== null ? [String(value)] : [];
}
