import type { GenericEndpointContext } from "@better-auth/core";
import { parseCookies } from "better-auth/cookies";
import { constantTimeEqual, makeSignature } from "better-auth/crypto";
import type { FoundSession } from "../../database/internal-adapter";
import { BEARER_PLUGINS } from "../foreign";

/** The headers of a call; `undefined` where server code made it with none. */
export function headersOf(
	ctx: Partial<Pick<GenericEndpointContext, "headers" | "request">>,
): Headers | undefined {
	return ctx.headers ?? ctx.request?.headers;
}

export function findBearerToken(headers: Headers | undefined): string | undefined {
	return headers?.get("authorization")?.match(/^bearer\s+(\S+)\s*$/i)?.[1];
}

/** A signed value is `<value>.<signature>`; a session token itself has no dot. */
export function unsignedToken(cookie: string): string {
	const value = decoded(cookie);
	const dot = value.lastIndexOf(".");
	return dot > 0 ? value.slice(0, dot) : value;
}

function decoded(value: string): string {
	try {
		return decodeURIComponent(value);
	} catch {
		return value;
	}
}

/**
 * The session tokens that a request presents, as cookie or bearer token.
 *
 * The signature is not verified here: the token only says in which tenant to work. Core verifies it
 * before it trusts the session.
 */
export function findPresentedSessionTokens(ctx: GenericEndpointContext): string[] {
	const cookie = headersOf(ctx)?.get("cookie");
	const value = cookie && parseCookies(cookie).get(ctx.context.authCookies.sessionToken.name);
	const bearer = findBearerToken(headersOf(ctx));
	return [value, BEARER_PLUGINS.some(ctx.context.hasPlugin) ? bearer : undefined]
		.filter((presented) => typeof presented === "string")
		.map(unsignedToken);
}

/**
 * The session of a presented token, if the current scope may see it. Some stores throw for a text that
 * cannot be a token.
 */
export async function findPresentedSession(
	ctx: GenericEndpointContext,
	token: string,
): Promise<FoundSession | null> {
	return ctx.context.internalAdapter.findSession(token).catch(() => null);
}

/** As {@link findPresentedSession}, if it has not expired. */
export async function findLiveSession(
	ctx: GenericEndpointContext,
	token: string,
): Promise<FoundSession | null> {
	const found = await findPresentedSession(ctx, token);
	return found && found.session.expiresAt > new Date() ? found : null;
}

/** Removes cookies and their chunks from a call. Its headers are a copy that all its hooks share. */
export function dropCookies(ctx: GenericEndpointContext, ...names: string[]): void {
	const presented = ctx.headers?.get("cookie");
	if (!presented) return;
	// Not decoded: a header cannot hold every decoded value.
	const cookies = presented.split(";").filter((cookie) => {
		const presentedName = cookie.slice(0, cookie.indexOf("=")).trim();
		return !names.some((name) => presentedName === name || presentedName.startsWith(`${name}.`));
	});
	ctx.headers?.set("cookie", cookies.join(";"));
}

interface NodeCrypto {
	createHmac(
		algorithm: "sha256",
		key: string,
	): { update(text: string): { digest(encoding: "base64"): string } };
}

/**
 * The cryptography of Node, Bun and Deno. It signs at once. The Web Crypto API hands the work to another
 * thread, which takes longer than the work.
 */
const native = (
	globalThis as { process?: { getBuiltinModule?(name: string): NodeCrypto | undefined } }
).process?.getBuiltinModule?.("node:crypto");

/** The length of a SHA-256 in base64. */
const SIGNATURE = 44;

/**
 * The value of a signed cookie of a request, if its signature is right. Where it is not, or where the
 * cookie was sent twice, better-call decides.
 */
export async function findSignedValue(
	cookies: string,
	name: string,
	secret: string,
): Promise<string | null> {
	const start = cookies.indexOf(name);
	const equals = start + name.length;
	// Without the equals sign: better-call also takes a cookie with spaces before it.
	if (start === -1 || start !== cookies.lastIndexOf(name) || cookies[equals] !== "=") return null;
	// It may be the end of another name, or a part of another value.
	if (!/(^|;)\s*$/.test(cookies.slice(0, start))) return null;
	const end = cookies.indexOf(";", start);
	const cookie = decoded(cookies.slice(equals + 1, end === -1 ? undefined : end));
	const dot = cookie.lastIndexOf(".");
	const signature = cookie.slice(dot + 1);
	if (dot < 1 || signature.length !== SIGNATURE) return null;
	const value = cookie.slice(0, dot);
	return constantTimeEqual(signature, await sign(value, secret)) ? value : null;
}

const sign = (value: string, secret: string): string | Promise<string> =>
	native
		? native.createHmac("sha256", secret).update(value).digest("base64")
		: makeSignature(value, secret);
