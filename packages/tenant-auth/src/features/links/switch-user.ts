import type { GenericEndpointContext } from "@better-auth/core";
import { expireCookie, setSessionCookie } from "better-auth/cookies";
import { requireState } from "../../call/context/current-state";
import { resetAndEnter } from "../../call/context/gate";
import { runRetried } from "../../database/write-conflicts";
import { dropRejectedSession } from "../../isolation/sessions";
import { recordAuditEvent } from "../../management/audit/audit-store";
import { digestOf, findEntry, findKeyring } from "./keyring";
import { linkNotFound } from "./link-error";
import { findProven, findTenant, type Proven, sessionTokenOf } from "./proven-session";
import { useLinks } from "./store";

/**
 * Puts the browser back into the session in which it proved the linked user of a tenant. It creates no
 * session: so it skips no password, no second factor and no limit of time of that tenant.
 *
 * @throws APIError `LINK_NOT_FOUND`
 */
export async function switchUser(ctx: GenericEndpointContext, tenantId: string): Promise<Proven> {
	const keyring = await findKeyring(ctx);
	const token = await sessionTokenOf(ctx);
	const from = token ? findEntry(keyring, token) : undefined;
	const to = keyring?.entries.find((entry) => entry.tenantId === tenantId);
	// The session of somebody who took over the user elsewhere, or later, is not in the keyring.
	if (!keyring || !from || !to || from === to) throw linkNotFound();
	const { sessionConfig } = ctx.context;
	const left = await findProven(ctx, from);
	if (!left || !(await findTenant(ctx, to))) throw linkNotFound();
	await resetAndEnter(ctx, to.tenantId);
	// The policy of the tenant that is left limits the sessions of that one only.
	ctx.context.sessionConfig = sessionConfig;
	const entered = await findProven(ctx, to);
	if (!entered) throw linkNotFound();
	const digests = await Promise.all([from, to].map((entry) => digestOf(keyring, entry)));
	await runRetried(ctx.context.adapter, async () => {
		// The write decides between a switch and the end of the link, whichever is first.
		if (!(await useLinks(ctx.context, digests))) throw linkNotFound();
		await record(ctx, "link:leave", left);
		await record(ctx, "link:enter", entered);
	});
	await replaceSession(ctx, left, entered);
	return entered;
}

function record(
	ctx: GenericEndpointContext,
	action: "link:leave" | "link:enter",
	{ tenant, user }: Proven,
): Promise<void> {
	// Neither tenant's event names the other one.
	const event = { action, tenantId: tenant.id, targetId: user.id };
	return recordAuditEvent(ctx, event, { kind: "member", id: user.id });
}

async function replaceSession(
	ctx: GenericEndpointContext,
	left: Proven,
	{ session, user, entry }: Proven,
): Promise<void> {
	const state = requireState(ctx.context);
	// As at a sign-in: hooks that follow must neither see the old session nor delete the new cookies.
	state.rejectSession(left.entry.token);
	state.sessionCreated = true;
	dropRejectedSession(ctx, state);
	const isTemporary = entry.temporary === true;
	if (!isTemporary) expireCookie(ctx, ctx.context.authCookies.dontRememberToken);
	await setSessionCookie(ctx, { session, user }, isTemporary);
}
