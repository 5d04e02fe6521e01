/** The kind of the hashes that the app's Better Auth makes. */
export const OWN_HASH_KIND = "better-auth";

/** A password hash that another system made. */
export interface ForeignHash {
	kind: string;
	/** Whose password it is. So it can be replaced without a search. */
	userId: string;
	hash: string;
}

/**
 * Better Auth's own verification takes what is between the first two colons for a hexadecimal key of 128
 * digits, so it accepts no password for such a text.
 */
const FORM = /^imported:(?<kind>[a-z][a-z\d-]*):(?<userId>[^:]*):(?<hash>.*)$/s;

export const toStoredHash = ({ kind, userId, hash }: ForeignHash): string =>
	`imported:${kind}:${encodeURIComponent(userId)}:${hash}`;

/** `null` for a hash of the app's own. */
export function parseStoredHash(stored: string): ForeignHash | null {
	const { kind, userId, hash } = FORM.exec(stored)?.groups ?? {};
	if (kind === undefined || userId === undefined || hash === undefined) return null;
	return { kind, userId: decodeURIComponent(userId), hash };
}

/** The same password for another user. */
export function rebindHash(stored: unknown, userId: string): unknown {
	const foreign = typeof stored === "string" ? parseStoredHash(stored) : null;
	return foreign ? toStoredHash({ ...foreign, userId }) : stored;
}
