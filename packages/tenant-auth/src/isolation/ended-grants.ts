import type { DBTransactionAdapter, Where } from "@better-auth/core/db/adapter";
import { ACCESS_TOKENS, CONSENTS, REFRESH_TOKENS } from "../call/foreign";
import type { TenantPolicy } from "../call/policy/tenant-policy";
import {
	type AnyAdapter,
	type AnyQuery,
	around,
	call,
	type IsolationSettings,
	inOwnTransaction,
	type Methods,
	type Query,
	type Row,
} from "./raw-adapter";
import { forgetOwners, idOf, inBatches } from "./row-owners";
import { findCurrentPolicy, isOver, type Limited } from "./session-policy";

/** More than any write concerns. The adapter's default page of 100 must not cut the list. */
const MAX_ROWS = 100_000;

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
	raw: AnyAdapter,
	{ instance, modelKey }: IsolationSettings,
): Partial<Methods> {
	const isCause = ({ model }: Query) => ["session", CONSENTS].includes(modelKey(model));
	const endsSessions = ({ model, update }: AnyQuery) =>
		modelKey(model) === "session" &&
		update.expiresAt instanceof Date &&
		update.expiresAt <= new Date();

	/** The tokens go first: the database forgets their session when its row is deleted. */
	async function together<R>(
		{ model, where = [] }: Query,
		write: (methods: Methods) => Promise<R>,
	): Promise<R> {
		// Before the transaction: it may read the tenant, with another connection.
		const policy = await findCurrentPolicy(instance);
		const here = async () => {
			await (modelKey(model) === "session"
				? endWithSessions(where, policy)
				: endWithConsents(where));
			return write(methods);
		};
		return inOwnTransaction(adapter, here, write);
	}

	async function endWithSessions(where: Where[], policy: TenantPolicy): Promise<void> {
		const named = findWholeUsers(where);
		if (named.length > 0) {
			const users = { model: "user", where: [isIn("id", named)], select: ["id"], limit: MAX_ROWS };
			const ids = (await methods.findMany(users)).map(idOf);
			return ids.length > 0 ? endTokens(methods, raw, [isIn("userId", ids)]) : undefined;
		}
		type SessionRow = Row & Limited & { expiresAt: Date };
		const rows = await methods.findMany<SessionRow>({ model: "session", where, limit: MAX_ROWS });
		const hasExpired = (row: SessionRow) => row.expiresAt <= new Date() || isOver(policy, row);
		const idsOf = (some: SessionRow[]) => inBatches(some.map(idOf));
		for (const ids of idsOf(rows.filter((row) => !hasExpired(row)))) {
			await endTokens(methods, raw, [isIn("sessionId", ids)]);
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
		const consents = await methods.findMany<Consent>({ model: CONSENTS, where, limit: MAX_ROWS });
		for (const { clientId, userId } of consents) {
			if (!userId) continue;
			await endTokens(methods, raw, [
				{ field: "clientId", value: clientId },
				{ field: "userId", value: userId },
			]);
		}
	}

	const ending = <Name extends keyof Methods>(
		names: readonly Name[],
		needsEnd: (query: AnyQuery) => boolean,
	) =>
		around(names, (name, query) =>
			needsEnd(query) ? together(query, (it) => call(it, name, query)) : call(methods, name, query),
		);
	return {
		...ending(["delete", "deleteMany", "consumeOne"], isCause),
		// With `preserveSessionInDatabase` core lets sessions expire.
		...ending(["update", "updateMany"], endsSessions),
	};
}

/**
 * Ends tokens. A refresh that runs meanwhile may create one that the first statement does not see, or that
 * a read of this transaction never shows. So whatever the condition finds is deleted until nothing is left.
 *
 * @param own finds the rows of the scope
 * @param where a condition that finds rows of the scope only: a user, sessions or consents of it
 */
export async function endTokens(
	own: Pick<DBTransactionAdapter, "findMany">,
	raw: DBTransactionAdapter,
	where: Where[],
): Promise<void> {
	const findIds = async (model: string) =>
		(await own.findMany({ model, where, select: ["id"], limit: MAX_ROWS })).map(idOf);
	for (;;) {
		const refreshTokens = await findIds(REFRESH_TOKENS);
		await forgetOwners(raw, ACCESS_TOKENS, await findIds(ACCESS_TOKENS));
		// Access tokens go first: they reference their refresh token.
		for (const ids of inBatches(refreshTokens)) {
			await raw.deleteMany({ model: ACCESS_TOKENS, where: [isIn("refreshId", ids)] });
		}
		await raw.deleteMany({ model: ACCESS_TOKENS, where });
		const count = await raw.deleteMany({ model: REFRESH_TOKENS, where });
		await forgetOwners(raw, REFRESH_TOKENS, refreshTokens);
		if (count === 0) return;
	}
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
