import { copyFileSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Kysely, SqliteDialect } from "kysely";
import Database from "libsql";
import type { HostDatabase, Rows } from "../../../tenant-auth/test/support/worlds/instance";
import { runCommand } from "./command-in-process";

const root = fileURLToPath(new URL("../../../../", import.meta.url));

/** What an app needs for the hashes of all services. */
const hashes = `
import { argon2id } from "@noble/hashes/argon2.js";
import bcrypt from "bcryptjs";
import { firebaseScrypt, keycloakPbkdf2 } from "better-auth-tenant/password-hashes";

/** The form that the tests use. */
function verifyArgon2({ hash, password }) {
	const [, type, version, cost, salt, key] = hash.split("$");
	if (type !== "argon2id" || version !== "v=19") return false;
	const { m, t, p } = Object.fromEntries(cost.split(",").map((it) => it.split("=")));
	const settings = { m: Number(m), t: Number(t), p: Number(p), dkLen: 32 };
	const made = argon2id(password, Buffer.from(salt, "base64"), settings);
	return Buffer.from(made).toString("base64").replace(/=+$/, "") === key;
}

export const passwordHashes = {
	bcrypt: { verify: ({ hash, password }) => bcrypt.compare(password, hash) },
	argon2: { verify: verifyArgon2 },
	"firebase-scrypt": firebaseScrypt({
		signerKey:
			"jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==",
		saltSeparator: "Bw==",
		rounds: 8,
		memCost: 14,
	}),
	"keycloak-pbkdf2": keycloakPbkdf2,
};
`;

/**
 * An app that has it. With `HASHES=none`, it can verify nothing. With `FIELDS=company`, its users need a
 * company. With `PLUGINS=all`, users have usernames, phone numbers, second factors and metadata.
 */
const config = `
import { betterAuth } from "better-auth";
import { organization, phoneNumber, twoFactor, username } from "better-auth/plugins";
import { tenantAuth } from "better-auth-tenant";
import { tenantImports } from "better-auth-tenant/imports";
import { Kysely, SqliteDialect } from "kysely";
import Database from "libsql";
import { passwordHashes } from "./hashes.mjs";

const database: Database.Database = new Database(process.env.DATABASE_FILE as string);
database.exec("PRAGMA busy_timeout = 60000");
export const auth = betterAuth({
	baseURL: "http://localhost:3000",
	secret: "a secret of thirty-two characters or more",
	emailAndPassword: { enabled: true },
	user: {
		additionalFields: {
			...(process.env.FIELDS === "company" ? { company: { type: "string" } } : {}),
			...(process.env.PLUGINS === "all" ? { about: { type: "json", required: false } } : {}),
		},
	},
	logger: { disabled: true },
	database: {
		db: new Kysely({ dialect: new SqliteDialect({ database }) }),
		type: "sqlite",
		transaction: true,
	},
	plugins: [
		tenantAuth(),
		tenantImports({ passwordHashes: process.env.HASHES === "none" ? {} : passwordHashes }),
		organization(),
		...(process.env.PLUGINS === "all" ? [username(), phoneNumber(), twoFactor()] : []),
	],
});
`;

let runs = 0;

/** A folder with an app, in which the command runs. */
export function makeCommandFolder() {
	const folder = mkdtempSync(join(tmpdir(), "command-"));
	symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
	writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
	writeFileSync(join(folder, "auth.ts"), config);
	writeFileSync(join(folder, "hashes.mjs"), hashes);

	/** Each run has a config of its own, with the sources of the plugin and a new connection. */
	async function run(
		args: readonly string[],
		database: string,
		environment: Record<string, string> = {},
		onError?: () => void,
	) {
		runs += 1;
		const file = join(folder, `auth-${runs}.mjs`);
		const code = config.replace(": Database.Database", "").replace(" as string", "");
		writeFileSync(file, `${code}\nglobalThis[Symbol.for("${file}")] = database;`);
		try {
			return await runCommand([...args, "--config", file], {
				cwd: folder,
				environment: { DATABASE_FILE: database, ...environment },
				...(onError ? { onError } : {}),
			});
		} finally {
			// The process of the command would end now.
			const key = Symbol.for(file);
			Reflect.get(globalThis, key)?.close();
			Reflect.deleteProperty(globalThis, key);
		}
	}

	async function onFile<T>(name: string, work: (on: HostDatabase) => Promise<T>): Promise<T> {
		const database = new Database(join(folder, name));
		const db = new Kysely<Rows>({ dialect: new SqliteDialect({ database }) });
		try {
			return await work({ db, type: "sqlite" });
		} finally {
			await db.destroy();
		}
	}

	return {
		folder,
		run,
		onFile,
		copyFixture: (name: string, as = name) =>
			copyFileSync(
				fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url)),
				join(folder, as),
			),
		remove: () => rmSync(folder, { recursive: true, force: true }),
	};
}
