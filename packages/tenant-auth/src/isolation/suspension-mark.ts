import type { SecondaryStorage } from "@better-auth/core/db";
import {
	ACROSS,
	type FoundSession,
	findRequestScope,
	PLATFORM_ID,
	scopeOfRow,
} from "../context/scope";
import { tenantSuspended } from "../tenants/tenant-errors";

type Storage = SecondaryStorage | undefined;

/** Whether a row bears the mark of a suspended tenant. */
export const isMarked = (row: unknown): boolean =>
	typeof row === "object" &&
	row !== null &&
	"tenantSuspended" in row &&
	Boolean(row.tenantSuspended);

/** Core takes whatever key it is given for a session's token: read as a session, this is none. */
const STORED_MARK = "null";

const storageKeyOf = (tenantId: string) => `tenant-suspended-${tenantId}`;

/**
 * Sessions of a secondary storage bring a copy of their user, which the mark does not reach: there it
 * is an entry of its own.
 */
export async function markInStorage(
	storage: Storage,
	tenantId: string,
	isSuspended: boolean,
): Promise<void> {
	if (isSuspended) await storage?.set(storageKeyOf(tenantId), STORED_MARK);
	else await storage?.delete(storageKeyOf(tenantId));
}

/** Core takes the mark off a session's user before it hands both out. */
const ofSuspended = new WeakSet<FoundSession>();

/** Looks for a session in a scope of its own, and remembers if its user bore the mark. */
export async function findNotingSuspension(
	find: () => Promise<FoundSession | null>,
): Promise<FoundSession | null> {
	const found = await find();
	if (found && findRequestScope()?.isSuspended) ofSuspended.add(found);
	return found;
}

/** Looks for several at once, and tells whether one of their users may have borne the mark. */
export async function findManyNotingSuspension(
	find: () => Promise<FoundSession[]>,
	storage: Storage,
): Promise<{ found: FoundSession[]; maybeSuspended: boolean }> {
	const found = await find();
	const isNoted = findRequestScope()?.isSuspended === true;
	return { found, maybeSuspended: isNoted || storage !== undefined };
}

export async function isOfSuspendedTenant(found: FoundSession, storage: Storage): Promise<boolean> {
	if (ofSuspended.has(found)) return true;
	const { tenantId } = scopeOfRow(found.session);
	return tenantId !== PLATFORM_ID && Boolean(await storage?.get(storageKeyOf(tenantId)));
}

/** To be told of everything that a request reads: a user may come with another row. */
export function noteSuspension(model: string, rows: readonly unknown[]): void {
	const bearsMark = (row: unknown) =>
		isMarked(model === "user" ? row : (row as { user?: unknown } | null)?.user);
	if (!rows.some(bearsMark)) return;
	const request = findRequestScope();
	if (request) request.isSuspended = true;
}

/** A session that were made nevertheless would count nowhere; this tells why. */
export function requireNoSuspension(): void {
	const request = findRequestScope();
	if (request?.isSuspended && request.scope !== ACROSS) throw tenantSuspended();
}

/**
 * A user may be let in without any session, by an API key say. Those who manage, and jobs, find the
 * users of a suspended tenant all the same.
 */
export function requireUserNotSuspended(): void {
	if (!findRequestScope()?.isEntered) requireNoSuspension();
}
