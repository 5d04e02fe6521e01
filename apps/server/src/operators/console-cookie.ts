import type { GenericEndpointContext } from "@better-auth/core";

/**
 * What a console session stands for: a session of Better Auth by its token, a key by its id, or one of
 * MANAGEMENT_KEYS by the beginning of its digest.
 */
export type ConsoleSession = { kind: "session" | "key" | "shared-key"; value: string };

/** A console session with a key. One of an operator ends with the session of Better Auth. */
const KEY_SESSION_SECONDS = 12 * 60 * 60;

/**
 * The cookie of the console. It is not Better Auth's own session cookie, because that one is replaced
 * when the operator signs in to a tenant's page on the same host, or impersonates a user.
 *
 * No script can read it, and no other site can make the browser send it.
 */
function cookieOf({ context }: Pick<GenericEndpointContext, "context">, maxAge: number) {
	const { name, attributes } = context.createAuthCookie("console", { maxAge });
	// Not for other hosts, also if users' sessions are.
	const { domain: _, ...ofThisHost } = attributes;
	return { name, attributes: { ...ofThisHost, sameSite: "strict", httpOnly: true } as const };
}

export async function setConsoleCookie(
	ctx: GenericEndpointContext,
	{ kind, value }: ConsoleSession,
	endsAt = new Date(Date.now() + KEY_SESSION_SECONDS * 1000),
): Promise<void> {
	const seconds = Math.max(0, Math.floor((endsAt.getTime() - Date.now()) / 1000));
	const { name, attributes } = cookieOf(ctx, seconds);
	const text = [kind, endsAt.getTime(), value].join(".");
	await ctx.setSignedCookie(name, text, ctx.context.secret, attributes);
}

export function deleteConsoleCookie(ctx: GenericEndpointContext): void {
	const { name, attributes } = cookieOf(ctx, 0);
	ctx.setCookie(name, "", { ...attributes, maxAge: 0 });
}

export const consoleCookieName = (ctx: GenericEndpointContext): string => cookieOf(ctx, 0).name;

export async function findConsoleSession(
	ctx: GenericEndpointContext,
): Promise<ConsoleSession | null> {
	const text = await ctx.getSignedCookie(consoleCookieName(ctx), ctx.context.secret);
	const [, kind, endsAt, value] = /^(session|key|shared-key)\.(\d+)\.(.+)$/.exec(text || "") ?? [];
	if (!kind || !value || Number(endsAt) <= Date.now()) return null;
	return { kind: kind as ConsoleSession["kind"], value };
}
