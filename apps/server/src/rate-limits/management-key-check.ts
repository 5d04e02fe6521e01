import { createHash, timingSafeEqual } from "node:crypto";

const digest = (text: string) => createHash("sha256").update(text).digest();

/** A shorter key can be guessed, so it is limited like a wrong one. */
const MIN_LENGTH = 16;

/** The bearer token of a request; empty if there is none. */
export const bearerOf = (headers: Headers): string =>
	/^bearer +(\S+)$/i.exec(headers.get("authorization") ?? "")?.[1] ?? "";

/** Tells whether a request has a valid management key as bearer token. */
export function managementKeyCheck(keys: string[]): (headers: Headers) => boolean {
	const digests = keys.filter((key) => key.length >= MIN_LENGTH).map(digest);
	return (headers) => {
		const token = bearerOf(headers);
		if (!token) return false;
		const presented = digest(token);
		// All keys are compared: the time must not tell which one is similar.
		return digests.filter((key) => timingSafeEqual(key, presented)).length > 0;
	};
}
