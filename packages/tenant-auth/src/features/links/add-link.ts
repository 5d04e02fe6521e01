import type { GenericEndpointContext } from "@better-auth/core";
import { constantTimeEqual } from "better-auth/crypto";
import { digest } from "../../database/digest";
import { runRetried } from "../../database/write-conflicts";
import { recordAuditEvent } from "../../management/audit/audit-store";
import {
	digestOf,
	findEntry,
	findKeyring,
	type Keyring,
	newKeyring,
	randomText,
	withEntries,
	writeKeyring,
} from "./keyring";
import { linkNotProven } from "./link-error";
import { lifetimeOf } from "./options";
import { findProven, type Proven } from "./proven-session";
import { deleteLinks, findLink, insertLink, type NewLink } from "./store";

const MINUTES = 10;

/**
 * Keeps the first user in the cookie, because the sign-in as the second one replaces the session. Returns
 * the code that finishes the link.
 */
export async function startLink(
	ctx: GenericEndpointContext,
	own: Proven,
): Promise<{ linkCode: string; expiresAt: Date }> {
	const found = await findKeyring(ctx);
	// Somebody else may use the browser now. Their new link must not join the users of the last person.
	const isOwn = found !== null && findEntry(found, own.entry.token) !== undefined;
	const { secret, entries } = isOwn ? found : newKeyring();
	const linkCode = randomText();
	const at = Date.now();
	await writeKeyring(ctx, {
		secret,
		entries,
		started: { entry: own.entry, code: await digest(linkCode), at },
	});
	return { linkCode, expiresAt: new Date(at + MINUTES * 60 * 1000) };
}

/**
 * Links the user who has started with the one who finishes. Both sessions are live, in this browser, and
 * the second one began after the start.
 *
 * @throws APIError `LINK_NOT_PROVEN`
 */
export async function finishLink(
	ctx: GenericEndpointContext,
	own: Proven,
	code: string,
): Promise<Keyring> {
	const keyring = await findKeyring(ctx);
	if (!keyring?.started || !(await isFinishedBy(keyring.started, own, code))) {
		throw linkNotProven();
	}
	const first = await findProven(ctx, keyring.started.entry);
	if (!first) throw linkNotProven();
	const linked = withEntries(keyring, first.entry, own.entry);
	await storeLink(ctx, keyring, linked, [first, own]).catch(async (error: unknown) => {
		// The foreign key fails if a user was deleted meanwhile.
		const areLive = (await findProven(ctx, first.entry)) && (await findProven(ctx, own.entry));
		throw areLive ? error : linkNotProven();
	});
	await writeKeyring(ctx, linked);
	return linked;
}

async function isFinishedBy(
	{ entry, code, at }: NonNullable<Keyring["started"]>,
	{ tenant, session }: Proven,
	given: string,
): Promise<boolean> {
	// A cookie of somebody else may have come into the browser. They do not have the code of this page.
	if (!constantTimeEqual(code, await digest(given))) return false;
	if (Date.now() > at + MINUTES * 60 * 1000 || entry.tenantId === tenant.id) return false;
	// Some databases store seconds.
	return new Date(session.createdAt).getTime() >= Math.floor(at / 1000) * 1000;
}

async function storeLink(
	ctx: GenericEndpointContext,
	before: Keyring,
	after: Keyring,
	users: readonly [Proven, Proven],
): Promise<void> {
	const replaced = before.entries.filter(({ token }) => !findEntry(after, token));
	const gone = await Promise.all(replaced.map((entry) => digestOf(before, entry)));
	const expiresAt = new Date(Date.now() + lifetimeOf(ctx) * 1000);
	const toRow = async ({ tenant, user, entry }: Proven): Promise<NewLink> => ({
		tenantId: tenant.id,
		userId: user.id,
		digest: await digestOf(after, entry),
		expiresAt,
	});
	const [first, own] = [await toRow(users[0]), await toRow(users[1])];
	await runRetried(ctx.context.adapter, async () => {
		// Another call has finished the same link.
		if (await findLink(ctx.context, own.digest)) return;
		await insertLink(ctx.context, own);
		// The first user may have links to others. They last as long as the new one.
		await deleteLinks(ctx.context, [...gone, first.digest]);
		await insertLink(ctx.context, first);
		for (const { tenantId, userId } of [first, own]) {
			// Neither tenant's event names the other one.
			const event = { action: "link:add", tenantId, targetId: userId } as const;
			await recordAuditEvent(ctx, event, { kind: "member", id: userId });
		}
	});
}
