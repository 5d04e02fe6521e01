import type { AuthContext } from "@better-auth/core";
import { constantTimeEqual, makeSignature } from "better-auth/crypto";

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

const sign = (value: string, secret: string): string | Promise<string> =>
	native
		? native.createHmac("sha256", secret).update(value).digest("base64")
		: makeSignature(value, secret);

/**
 * The session token of a request that presents nothing else. `null` if Better Auth must look at it: the
 * signature is wrong, a cookie was sent twice, or another cookie or header of Better Auth is there.
 */
export async function findSessionToken(
	{ authCookies, secret }: AuthContext,
	headers: Headers,
): Promise<string | null> {
	const cookies = headers.get("cookie");
	const { sessionToken, sessionData, dontRememberToken } = authCookies;
	if (!cookies || headers.has("authorization")) return null;
	if (cookies.includes(sessionData.name) || cookies.includes(dontRememberToken.name)) return null;
	const { name } = sessionToken;
	const start = cookies.indexOf(name);
	const equals = start + name.length;
	// Without the equals sign: Better Auth also takes a cookie with spaces before it.
	if (start === -1 || start !== cookies.lastIndexOf(name) || cookies[equals] !== "=") return null;
	// It may be the end of another name, or a part of another value.
	if (!/(^|;)\s*$/.test(cookies.slice(0, start))) return null;
	const end = cookies.indexOf(";", start);
	const signed = decoded(cookies.slice(equals + 1, end === -1 ? undefined : end));
	const dot = signed.lastIndexOf(".");
	if (dot < 1) return null;
	const token = signed.slice(0, dot);
	return constantTimeEqual(signed.slice(dot + 1), await sign(token, secret)) ? token : null;
}

function decoded(value: string): string {
	try {
		return decodeURIComponent(value);
	} catch {
		return "";
	}
}
