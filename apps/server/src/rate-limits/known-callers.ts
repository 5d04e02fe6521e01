import { createHash, randomUUID } from "node:crypto";
import type { GenericEndpointContext } from "@better-auth/core";
import { getIP } from "@better-auth/core/utils/ip";

/** An account as the limits know it: an email in a tenant, or on the platform (`""`). */
export type LimitedAccount = { tenantId: string; email: string };

const MAX_AGE_SECONDS = 180 * 24 * 60 * 60;

/** How many accounts a browser remembers. The cookies of more would be too long for some proxies. */
export const MAX_ACCOUNTS = 15;

const digestOf = ({ tenantId, email }: LimitedAccount) =>
	createHash("sha256").update(`${tenantId}\n${email}`).digest("base64url");

/**
 * The cookie of a browser in which somebody has signed in to an account before. It signs nobody in: it only
 * gives the browser failed attempts of its own. Its value names the account, because a signature does not
 * cover the name of a cookie.
 */
function cookieOf({ context }: Pick<GenericEndpointContext, "context">, account: LimitedAccount) {
	const digest = digestOf(account);
	const { name, attributes } = context.createAuthCookie(`known_${digest.slice(0, 12)}`, {
		maxAge: MAX_AGE_SECONDS,
	});
	// Not for other hosts, also if users' sessions are.
	const { domain: _, ...ofThisHost } = attributes;
	// A SAML identity provider comes back with a POST of another site. Browsers want `none` over https only.
	const sameSite = attributes.secure ? ("none" as const) : ("lax" as const);
	return { name, digest, attributes: { ...ofThisHost, httpOnly: true, sameSite } };
}

const listDevices = (header: string): string[] =>
	header
		.split(";")
		.map((cookie) => cookie.trim())
		.filter((cookie) => /^[^=]*\.known_[\w-]{12}=/.test(cookie));

/** Of all cookies of a request, those of {@link rememberDevice}. */
export const deviceCookiesIn = (header: string): string => listDevices(header).join("; ");

async function findDevice(ctx: GenericEndpointContext, account: LimitedAccount) {
	const { name, digest } = cookieOf(ctx, account);
	const value = await ctx.getSignedCookie(name, ctx.context.secret);
	const [device, named, userId] = value ? value.split(".") : [];
	return device && named === digest ? { device, userId } : null;
}

/**
 * Remembers the browser of somebody who has just signed in, from now on for as long as the cookie is valid.
 *
 * @returns whether this user was known there before. Another one may have had the same email.
 */
export async function rememberDevice(
	ctx: GenericEndpointContext,
	account: LimitedAccount,
	userId: string,
): Promise<boolean> {
	const known = await findDevice(ctx, account);
	const { name, digest, attributes } = cookieOf(ctx, account);
	const value = [known?.device ?? randomUUID(), digest, userId].join(".");
	await ctx.setSignedCookie(name, value, ctx.context.secret, attributes);
	forgetOldest(ctx, name, attributes);
	return known?.userId === userId;
}

/** Browsers send the oldest cookie first (RFC 6265, section 5.4). */
function forgetOldest(
	ctx: GenericEndpointContext,
	name: string,
	attributes: ReturnType<typeof cookieOf>["attributes"],
): void {
	const others = listDevices(ctx.headers?.get("cookie") ?? "")
		.map((cookie) => cookie.slice(0, cookie.indexOf("=")))
		.filter((other) => other !== name);
	const excess = Math.max(0, others.length + 1 - MAX_ACCOUNTS);
	for (const old of others.slice(0, excess)) ctx.setCookie(old, "", { ...attributes, maxAge: 0 });
}

/**
 * Who somebody is who has signed in to an account before: the browser, or an IP address with a session of
 * the account. Runs in the tenant of the account.
 *
 * @returns a name for a counter of their own, or `null`
 */
export async function findKnownCaller(
	ctx: GenericEndpointContext,
	account: LimitedAccount,
): Promise<string | null> {
	const known = await findDevice(ctx, account);
	if (known) return `device ${known.device}`;
	const { internalAdapter, adapter, options } = ctx.context;
	const address = ctx.headers ? getIP(ctx.headers, options) : null;
	if (!address) return null;
	const found = await internalAdapter.findUserByEmail(account.email);
	if (!found) return null;
	const session = await adapter.findOne({
		model: "session",
		where: [
			{ field: "userId", value: found.user.id },
			{ field: "ipAddress", value: address },
		],
	});
	return session ? `address ${address}` : null;
}
