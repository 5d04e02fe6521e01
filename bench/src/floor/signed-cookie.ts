import { createHmac, timingSafeEqual } from "node:crypto";
import { SECRET } from "../host/host";

const NAME = "better-auth.session_token";

/** The session token of a request, if its signature is right. */
export function readSessionToken(header: string | null): string | null {
	for (const pair of header?.split(";") ?? []) {
		const [name, value] = pair.trim().split("=", 2);
		if (name !== NAME || !value) continue;
		const [token = "", signature = ""] = splitLast(decodeURIComponent(value));
		const [given, right] = [Buffer.from(signature), Buffer.from(sign(token))];
		return given.length === right.length && timingSafeEqual(given, right) ? token : null;
	}
	return null;
}

export const writeSessionToken = (token: string, maxAge: number) =>
	`${NAME}=${encodeURIComponent(`${token}.${sign(token)}`)}; Max-Age=${maxAge}; Path=/; HttpOnly; SameSite=Lax`;

const sign = (token: string) => createHmac("sha256", SECRET).update(token).digest("base64");

function splitLast(signed: string): [token: string, signature: string] {
	const at = signed.lastIndexOf(".");
	return [signed.slice(0, at), signed.slice(at + 1)];
}
