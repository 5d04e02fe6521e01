import type { GenericEndpointContext } from "@better-auth/core";
import { requireInstance, requireState, runInScope } from "../../call/context/current-state";
import { scopeOf } from "../../call/context/tenant";
import { runRetried } from "../../database/write-conflicts";
import { recordAuditEvent } from "../../management/audit/audit-store";
import { digestOf, dropKeyring, type Entry, findEntry, findKeyring, writeKeyring } from "./keyring";
import { type Proven, sessionTokenOf } from "./proven-session";
import { deleteLinks, deleteLinksOfUser } from "./store";

/** Ends the links of the signed-in user, in all browsers: nobody switches to them or from them any more. */
export async function endLinks(ctx: GenericEndpointContext, own: Proven): Promise<void> {
	const { tenant, user } = own;
	await runRetried(ctx.context.adapter, async () => {
		if ((await deleteLinksOfUser(ctx.context, tenant.id, user.id)) === 0) return;
		const event = { action: "link:end", tenantId: tenant.id, targetId: user.id } as const;
		await recordAuditEvent(ctx, event, { kind: "member", id: user.id });
	});
	const keyring = await findKeyring(ctx);
	if (!keyring || !findEntry(keyring, own.entry.token)) return;
	const { secret, entries } = keyring;
	const rest = entries.filter(({ token }) => token !== own.entry.token);
	// One user alone is linked with nobody.
	await writeKeyring(ctx, { secret, entries: rest.length > 1 ? rest : [] });
}

/**
 * Signs out all users of a keyring with the one who signs out: at a shared computer, nobody expects the
 * others to stay signed in.
 */
export async function signOutLinked(ctx: GenericEndpointContext, ended: string): Promise<void> {
	// The sessions of the others, which end here, do not begin this again.
	if ((await sessionTokenOf(ctx)) !== ended) return;
	const keyring = await findKeyring(ctx);
	const own = findEntry(keyring, ended);
	// A sign-out that names another tenant ends nothing.
	if (!keyring || !own || (await isLive(ctx, own))) return;
	for (const entry of keyring.entries) if (entry !== own) await endSession(ctx, entry);
	await deleteLinks(
		ctx.context,
		await Promise.all(keyring.entries.map((entry) => digestOf(keyring, entry))),
	);
	dropKeyring(ctx);
}

/** Also in a tenant that was suspended, or that forbids links now. */
async function inTenantOf<T>(
	{ context }: GenericEndpointContext,
	{ tenantId }: Entry,
	work: () => Promise<T>,
): Promise<T | null> {
	const tenant = await requireState(context).readTenant(tenantId);
	return tenant ? runInScope(requireInstance(context), scopeOf(tenant), work) : null;
}

async function isLive(ctx: GenericEndpointContext, entry: Entry): Promise<boolean> {
	const { internalAdapter } = ctx.context;
	return (await inTenantOf(ctx, entry, () => internalAdapter.findSession(entry.token))) !== null;
}

async function endSession(ctx: GenericEndpointContext, entry: Entry): Promise<void> {
	await inTenantOf(ctx, entry, () => ctx.context.internalAdapter.deleteSession(entry.token));
}
