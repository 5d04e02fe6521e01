import type { AuthContext } from "@better-auth/core";
import type { User } from "@better-auth/core/db";
import type { Where } from "@better-auth/core/db/adapter";
import { makeSignature } from "better-auth/crypto";
import * as z from "zod";
import { requireInstance, runInScope } from "../../call/context/current-state";
import type { TenantScope } from "../../call/context/tenant";
import { isPossibleId } from "../../call/context/tenant-id";
import { findCountedPage, inLog, type LogPart } from "../../database/counted-page";
import { currentAdapter } from "../../database/current-adapter";
import type { SearchedPage } from "../../database/searched-list";
import { date, text, textOrNull } from "../../described";

export const SIGN_IN_MODEL = "tenantSignIn";

/** A sign-in as the database stores it. */
export interface SignInRow {
	id: string;
	tenantId: string;
	createdAt: Date;
	/** When `cleanUp` deletes it. */
	expiresAt: Date;
	userId: string | null;
	emailDigest: string | null;
	method: string | null;
	providerId: string | null;
	result: "succeeded" | "challenged" | "failed";
	reason: string | null;
	ipAddress: string | null;
	userAgent: string | null;
	attempts: number;
}

export const signInSchema = z.object({
	id: text("Unique id"),
	createdAt: date("When it happened"),
	result: z
		.enum(["succeeded", "challenged", "failed"])
		.meta({ description: "challenged: the first factor was right, and a second one is required" }),
	reason: textOrNull("Why it failed, such as INVALID_PASSWORD"),
	user: z
		.object({
			id: text("Unique id"),
			name: text("Name"),
			email: text("Email"),
		})
		.nullable()
		.meta({ description: "The user, if there is one" }),
	method: textOrNull("For example password or social"),
	providerId: textOrNull("The social or SSO provider"),
	ipAddress: textOrNull("The IP address of the client"),
	userAgent: textOrNull("The browser of the client"),
	attempts: z.int().meta({ description: "More than 1: so many that were not stored one by one" }),
});

/** A sign-in as management sees it. */
export type TenantSignIn = z.output<typeof signInSchema>;

/**
 * A digest of an email that only this app can make, for one tenant. The log can be asked about an email,
 * but does not say which ones were entered: people also enter passwords there, and others' emails.
 */
export function digestEmail(
	{ secret }: Pick<AuthContext, "secret">,
	tenantId: string,
	email: string,
): Promise<string> {
	return makeSignature(JSON.stringify(["sign-in email", tenantId, email.toLowerCase()]), secret);
}

/** Removes what the log knows about a user who is deleted. That somebody signed in stays. */
export async function forgetUser(
	{ adapter }: Pick<AuthContext, "adapter">,
	{ id, tenantId }: { id: string; tenantId: string },
): Promise<void> {
	await currentAdapter(adapter).updateMany({
		model: SIGN_IN_MODEL,
		where: [
			{ field: "tenantId", value: tenantId },
			{ field: "userId", value: id },
		],
		update: { userId: null, emailDigest: null, ipAddress: null, userAgent: null },
	});
}

export interface SignInPart extends LogPart {
	userId?: string | undefined;
	email?: string | undefined;
	result?: SignInRow["result"] | undefined;
	reason?: string | undefined;
}

export async function listSignIns(
	ctx: AuthContext,
	scope: TenantScope,
	part: SignInPart,
): Promise<SearchedPage<TenantSignIn>> {
	const { userId, email, result, reason } = part;
	const { tenantId } = scope;
	const emailDigest = email === undefined ? undefined : await digestEmail(ctx, tenantId, email);
	const where = inLog({ tenantId, userId, emailDigest, result, reason }, part);
	const page = await findCountedPage<SignInRow>({ ctx, model: SIGN_IN_MODEL, where }, part);
	const users = await findUsers(ctx, scope, page.rows);
	return { ...page, rows: page.rows.map((row) => toSignIn(row, users.get(row.userId ?? ""))) };
}

/** Of so many of the newest entries of a user, the last one that succeeded is found. */
const READ_ENTRIES = 50;

/**
 * The last sign-in of each user that succeeded. Each is read from the index of its user, so it costs the same
 * however long the log is. Somebody may fail to sign in as a user again and again: then their last sign-in is
 * not found.
 */
export async function listLastSignIns(
	ctx: AuthContext,
	scope: TenantScope,
	userIds: string[],
): Promise<TenantSignIn[]> {
	const { tenantId } = scope;
	const found: SignInRow[] = [];
	for (const userId of new Set(userIds.filter((id) => isPossibleId(ctx.options, id)))) {
		const rows = await currentAdapter(ctx.adapter).findMany<SignInRow>({
			model: SIGN_IN_MODEL,
			where: [
				{ field: "tenantId", value: tenantId },
				{ field: "userId", value: userId },
			],
			sortBy: { field: "createdAt", direction: "desc" },
			limit: READ_ENTRIES,
		});
		found.push(...rows.filter(({ result }) => result === "succeeded").slice(0, 1));
	}
	const users = await findUsers(ctx, scope, found);
	return found.map((row) => toSignIn(row, users.get(row.userId ?? "")));
}

async function findUsers(
	ctx: AuthContext,
	scope: TenantScope,
	rows: SignInRow[],
): Promise<Map<string, User>> {
	const ids = [...new Set(rows.flatMap(({ userId }) => userId ?? []))];
	if (ids.length === 0) return new Map();
	const where: Where[] = [{ field: "id", operator: "in", value: ids }];
	const users = await runInScope(requireInstance(ctx), scope, () =>
		ctx.adapter.findMany<User>({ model: "user", where, limit: ids.length }),
	);
	return new Map(users.map((user) => [user.id, user]));
}

function toSignIn(row: SignInRow, user: User | undefined): TenantSignIn {
	const { id, createdAt, result, reason, method, providerId, ipAddress, userAgent } = row;
	return {
		...{ id, createdAt, result, reason },
		user: user ? { id: user.id, name: user.name, email: user.email } : null,
		...{ method, providerId, ipAddress, userAgent },
		attempts: row.attempts,
	};
}
