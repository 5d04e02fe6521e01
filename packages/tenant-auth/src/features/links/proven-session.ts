import type { GenericEndpointContext } from "@better-auth/core";
import { APIError } from "@better-auth/core/error";
import { getSessionFromCtx } from "better-auth/api";
import {
	findState,
	requireInstance,
	requireState,
	runInScope,
} from "../../call/context/current-state";
import { enterTenantIfNamed, passGate } from "../../call/context/gate";
import { findAnyImpersonator } from "../../call/context/impersonation";
import { PLATFORM_ID, scopeOf, type TenantRow, tenantIdOf } from "../../call/context/tenant";
import { isPossibleId } from "../../call/context/tenant-id";
import { policyIn } from "../../call/policy/tenant-policy";
import type { FoundSession } from "../../database/internal-adapter";
import { isDisabled, lacksSecondFactor } from "../../isolation/session-policy";
import { listSessionsOf } from "../../management/users/store";
import type { ResolvedOptions } from "../../options";
import { tenantError } from "../../tenant-error";
import { UNAUTHORIZED } from "../endpoints/openapi";
import { digestOf, type Entry, type Keyring } from "./keyring";
import { linksNotAllowed } from "./link-error";
import { allowsLinks, findLink } from "./store";

/** A session in which a user of a tenant has proven who they are, with its entry in the keyring. */
export interface Proven extends FoundSession {
	entry: Entry;
	tenant: TenantRow;
}

/** The token in the session cookie of the browser. */
export const sessionTokenOf = (ctx: GenericEndpointContext): Promise<string | null | false> =>
	ctx.getSignedCookie(ctx.context.authCookies.sessionToken.name, ctx.context.secret);

const hasExpired = ({ session }: FoundSession) => session.expiresAt <= new Date();

/**
 * The session that this browser has in its cookie. Not one that a plugin makes of an API key, and not one
 * in which somebody else acts as the user: neither proves who the user is.
 *
 * @throws APIError `UNAUTHORIZED`, `SECOND_FACTOR_REQUIRED`, and for a session of the platform
 * `LINKS_NOT_ALLOWED`
 */
export async function requireProven(
	ctx: GenericEndpointContext,
	options: ResolvedOptions,
): Promise<Proven> {
	await enterTenantIfNamed(ctx, options);
	// The cookie cache may contain a session that was revoked since.
	const found = await getSessionFromCtx(ctx, { disableCookieCache: true });
	const token = await sessionTokenOf(ctx);
	if (!found || found.session.token !== token || findAnyImpersonator(found.session)) {
		if (findState()?.lacksSecondFactor) throw tenantError("SECOND_FACTOR_REQUIRED");
		throw APIError.from("UNAUTHORIZED", UNAUTHORIZED);
	}
	const tenantId = tenantIdOf(found.session);
	const tenant =
		tenantId === PLATFORM_ID ? null : await requireState(ctx.context).readTenant(tenantId);
	if (!tenant) throw linksNotAllowed();
	const { dontRememberToken } = ctx.context.authCookies;
	const isTemporary = await ctx.getSignedCookie(dontRememberToken.name, ctx.context.secret);
	const entry: Entry = { tenantId, token, ...(isTemporary ? { temporary: true } : {}) };
	return { ...found, entry, tenant };
}

/** @throws APIError `LINKS_NOT_ALLOWED` */
export async function requireAllowed(
	{ context }: GenericEndpointContext,
	{ id }: TenantRow,
): Promise<void> {
	if (!(await allowsLinks(context, id))) throw linksNotAllowed();
}

/** The tenant of an entry, if it is open and allows links. */
export async function findTenant(
	{ context }: GenericEndpointContext,
	{ tenantId }: Entry,
): Promise<TenantRow | null> {
	if (!isPossibleId(context.options, tenantId)) return null;
	const gate = await passGate(requireState(context), tenantId);
	return "refusal" in gate || !(await allowsLinks(context, tenantId)) ? null : gate.tenant;
}

/**
 * The session of an entry, as if the browser came with it: whatever ends or refuses a session in its
 * tenant does so here. It is marked as used.
 */
export async function findProven(
	ctx: GenericEndpointContext,
	entry: Entry,
): Promise<Proven | null> {
	const tenant = await findTenant(ctx, entry);
	if (!tenant) return null;
	const { internalAdapter } = ctx.context;
	const found = await runInScope(requireInstance(ctx.context), scopeOf(tenant), () =>
		internalAdapter.findSession(entry.token),
	);
	if (!found || hasExpired(found) || findAnyImpersonator(found.session)) return null;
	return tenantIdOf(found.session) === tenant.id ? { ...found, entry, tenant } : null;
}

/**
 * The user of an entry, for a list. The session is not marked as used: a page that shows the list must not
 * keep the sessions of other tenants alive.
 */
export async function findListed(
	ctx: GenericEndpointContext,
	keyring: Keyring,
	entry: Entry,
): Promise<Pick<Proven, "tenant" | "user"> | null> {
	const tenant = await findTenant(ctx, entry);
	const link = tenant && (await findLink(ctx.context, await digestOf(keyring, entry)));
	if (!link || link.tenantId !== tenant.id) return null;
	const scope = scopeOf(tenant);
	const sessions = await listSessionsOf(ctx.context, scope, link.userId);
	const session = sessions.find(({ token }) => token === entry.token);
	if (!session || findAnyImpersonator(session)) return null;
	const user = await runInScope(requireInstance(ctx.context), scope, () =>
		ctx.context.internalAdapter.findUserById(link.userId),
	);
	if (!user || isDisabled(user) || lacksSecondFactor(policyIn(tenant), user)) return null;
	return { tenant, user };
}
