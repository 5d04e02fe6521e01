import { constantTimeEqual, makeSignature } from "better-auth/crypto";
import { decoded } from "./presented-sessions";

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
