import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

const HASH = "$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy";
const SALT = "c2FsdHNhbHRzYWx0c2FsdA==";
const KEY = "a2V5a2V5a2V5a2V5a2V5a2V5a2V5a2V5a2V5a2V5a2U=";
const CREATED = "2024-02-29T12:00:00.000Z";

interface Format {
	file: string;
	begin?: string;
	line: (n: number, email: string) => string;
	/** Between two users. */
	between: string;
	end?: string;
}

/** How each service writes its users, with a password and a social account. */
export const exportFormats: Record<string, Format> = {
	csv: {
		file: "users.csv",
		begin:
			"externalId,email,name,emailVerified,createdAt,passwordKind,passwordHash,account.google\n",
		line: (n, email) => `${n},${email},User ${n},true,${CREATED},bcrypt,${HASH},${1_000_000 + n}`,
		between: "\n",
	},
	auth0: {
		file: "auth0.ndjson",
		line: (n, email) =>
			JSON.stringify({
				...{ user_id: `auth0|${n}`, email, name: `User ${n}`, email_verified: true },
				...{ created_at: CREATED, passwordHash: HASH },
				identities: [
					{ provider: "auth0", user_id: String(n), connection: "Username-Password-Authentication" },
					{ provider: "google-oauth2", user_id: String(1_000_000 + n), isSocial: true },
				],
			}),
		between: "\n",
	},
	firebase: {
		file: "firebase.json",
		begin: '{"users": [\n',
		line: (n, email) =>
			JSON.stringify(
				{
					...{ localId: `firebase-${n}`, email, emailVerified: true, displayName: `User ${n}` },
					...{ passwordHash: KEY, salt: SALT, createdAt: "1709208000000" },
					providerUserInfo: [{ providerId: "google.com", rawId: String(1_000_000 + n), email }],
				},
				null,
				2,
			),
		between: ",\n",
		end: "]}",
	},
	keycloak: {
		file: "keycloak-realm.json",
		begin: '{\n  "realm": "acme",\n  "enabled": true,\n  "users": [',
		line: (n, email) =>
			JSON.stringify(
				{
					...{ id: `keycloak-${n}`, username: email, email, emailVerified: true, enabled: true },
					...{ firstName: "User", lastName: String(n), createdTimestamp: 1_709_208_000_000 },
					credentials: [
						{
							type: "password",
							secretData: JSON.stringify({ value: KEY, salt: SALT }),
							credentialData: JSON.stringify({
								hashIterations: 27_500,
								algorithm: "pbkdf2-sha256",
							}),
						},
					],
					federatedIdentities: [{ identityProvider: "google", userId: String(1_000_000 + n) }],
				},
				null,
				2,
			),
		between: ",",
		end: '],\n  "clients": []\n}',
	},
};

/** Writes an export with this many users. */
export async function writeExport(path: string, format: Format, users: number): Promise<void> {
	function* parts() {
		yield format.begin ?? "";
		for (let n = 0; n < users; n += 1) {
			yield (n > 0 ? format.between : "") + format.line(n, `user-${n}@example.com`);
		}
		yield format.end ?? "\n";
	}
	await pipeline(Readable.from(parts()), createWriteStream(path));
}
