import type { Found } from "./survey";

/** What the app needs for a kind of hash: an import, and an entry of `passwordHashes`. */
const KNOWN: Record<string, { module?: string; entry: string }> = {
	bcrypt: {
		module: 'import bcrypt from "bcryptjs";',
		entry: "bcrypt: { verify: ({ hash, password }) => bcrypt.compare(password, hash) },",
	},
	argon2: {
		module: 'import argon2 from "argon2";',
		entry: "argon2: { verify: ({ hash, password }) => argon2.verify(hash, password) },",
	},
	"firebase-scrypt": {
		module: 'import { firebaseScrypt } from "better-auth-tenant/password-hashes";',
		entry:
			'"firebase-scrypt": firebaseScrypt({ signerKey, saltSeparator, rounds, memCost }), // from the Firebase console',
	},
	"keycloak-pbkdf2": {
		module: 'import { keycloakPbkdf2 } from "better-auth-tenant/password-hashes";',
		entry: '"keycloak-pbkdf2": keycloakPbkdf2,',
	},
};

/** What to add to the app for hashes that it cannot verify. */
export function explainMissingKinds(missing: ReadonlyMap<string, Found>): string {
	const kinds = [...missing.keys()];
	const modules = kinds.flatMap((kind) => KNOWN[kind]?.module ?? []);
	const entries = kinds.map(
		(kind) =>
			KNOWN[kind]?.entry ??
			`${JSON.stringify(kind)}: { verify: ({ hash, password }) => … }, // your own function`,
	);
	return [
		"Your app cannot verify these password hashes:",
		...[...missing].map(([kind, { count, first }]) => `  ${kind}: ${count}, first in ${first}`),
		"",
		"Add to your auth, or use --skip-passwords:",
		"",
		...modules,
		"",
		"tenantImports({",
		"  passwordHashes: {",
		...entries.map((entry) => `    ${entry}`),
		"  },",
		"})",
	].join("\n");
}
