import { StartError } from "../start-error";
import { type Read, splitList } from "./environment";

/** A key of Better Auth's, and the number by which what it encrypted names it. */
export type VersionedSecret = { version: number; value: string };

const leastCharacters = 32;

export function readSecret(read: Read): string | null {
	const value = read("BETTER_AUTH_SECRET");
	if (value === null || value.length >= leastCharacters) return value;
	throw new StartError(
		`BETTER_AUTH_SECRET must have at least ${leastCharacters} characters, but it has ${value.length}.`,
	);
}

/** The newest first: it is the one that encrypts. */
export function readVersionedSecrets(read: Read): VersionedSecret[] {
	const secrets = splitList(read("BETTER_AUTH_SECRETS")).map((entry) => {
		const [, version, value] = /^(\d{1,9}):(.*)$/.exec(entry) ?? [];
		return { version: Number(version), value: value?.trim() ?? "" };
	});
	if (secrets.some(({ value }) => value.length < leastCharacters)) {
		throw new StartError(
			`BETTER_AUTH_SECRETS must be a comma separated list such as 2:new,1:old, with secrets of at least ${leastCharacters} characters.`,
		);
	}
	const versions = secrets.map(({ version }) => version);
	if (new Set(versions).size < versions.length) {
		throw new StartError("BETTER_AUTH_SECRETS must not name a version twice.");
	}
	return secrets;
}

export function readManagementKeys(read: Read): string[] {
	const keys = splitList(read("MANAGEMENT_KEYS"));
	// What can be presented as a bearer token: visible characters without a gap.
	if (keys.every((key) => /^[!-~]+$/.test(key))) return keys;
	throw new StartError(
		"MANAGEMENT_KEYS must be a comma separated list of keys without spaces, none of them empty.",
	);
}

export function readAdminUserIds(read: Read): string[] {
	const ids = splitList(read("ADMIN_USER_IDS"));
	if (ids.every((id) => /^[!-~]{1,128}$/.test(id))) return ids;
	throw new StartError(
		"ADMIN_USER_IDS must be a comma separated list of user ids, none of them empty.",
	);
}
