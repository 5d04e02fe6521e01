const encoder = new TextEncoder();
const HMAC = { name: "HMAC", hash: "SHA-256" };

/**
 * The claims of a token that core signed (HS256), also if it has expired: core itself says so, in the
 * tenant of the token. `null` if the signature is wrong.
 */
export async function readSignedClaims(
	token: string,
	secret: string,
): Promise<Record<string, unknown> | null> {
	const [header, payload, signature, more] = token.split(".");
	if (!header || !payload || !signature || more !== undefined) return null;
	try {
		const key = await crypto.subtle.importKey("raw", encoder.encode(secret), HMAC, false, [
			"verify",
		]);
		const signed = encoder.encode(`${header}.${payload}`);
		if (!(await crypto.subtle.verify("HMAC", key, decode(signature), signed))) return null;
		return JSON.parse(new TextDecoder().decode(decode(payload)));
	} catch {
		// Not base64, or not JSON.
		return null;
	}
}

const decode = (base64url: string) =>
	Uint8Array.from(atob(base64url.replaceAll("-", "+").replaceAll("_", "/")), (byte) =>
		byte.charCodeAt(0),
	);
