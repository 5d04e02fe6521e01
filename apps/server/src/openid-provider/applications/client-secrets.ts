import { constantTimeEqual, generateRandomString } from "better-auth/crypto";

const HOUR_MS = 60 * 60 * 1000;

export const newSecret = () => generateRandomString(48, "a-z", "A-Z", "0-9");

export async function hashSecret(secret: string): Promise<string> {
	const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(secret));
	return Buffer.from(hash).toString("base64url");
}

type Stored = { hash: string; previous: { hash: string; until: Date } | null };

/**
 * The plugin has one column for the hash of the secret. After a rotation with an overlap, it has the hash of
 * the old secret behind it, and until when that one works: `new.old.milliseconds`.
 */
function parse(stored: string): Stored {
	const [hash = "", old, until] = stored.split(".");
	const previous = old && until ? { hash: old, until: new Date(Number(until)) } : null;
	return { hash, previous: previous && previous.until > new Date() ? previous : null };
}

/** The column for a new secret. Only the secret before it can stay, and no older one. */
export async function rotated(
	stored: string | null | undefined,
	secret: string,
	overlapHours: number,
): Promise<string> {
	const hash = await hashSecret(secret);
	if (!stored || overlapHours === 0) return hash;
	return `${hash}.${parse(stored).hash}.${Date.now() + overlapHours * HOUR_MS}`;
}

/** Until when the secret before the last rotation works too. */
export const previousSecretUntil = (stored: string | null | undefined): Date | null =>
	stored ? (parse(stored).previous?.until ?? null) : null;

/** How the plugin checks a secret that a client presents. */
export const storeClientSecret = {
	hash: hashSecret,
	verify: async (secret: string, stored: string): Promise<boolean> => {
		const presented = await hashSecret(secret);
		const { hash, previous } = parse(stored);
		const isCurrent = constantTimeEqual(presented, hash);
		const isPrevious = previous !== null && constantTimeEqual(presented, previous.hash);
		return isCurrent || isPrevious;
	},
};
