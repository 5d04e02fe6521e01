import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { tenantAuth } from "better-auth-tenant";
import { tenantWebhooks } from "better-auth-tenant/webhooks";
import { describe, expect, it } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { FOREIGN_SECRETS } from "../../src/call/foreign";
import { collectFeatures } from "../../src/call/port/features";
import { OWN_SECRETS } from "../../src/database/encrypted-fields";

const root = join(import.meta.dirname, "../../../..");
const betterAuth = join(root, "node_modules/better-auth");
const scope = join(root, "node_modules/@better-auth");

/** Whatever encrypts with the secret: Better Auth's functions, our own, and what they are made of. */
const ENCRYPTION =
	/(?<!function |const )\b(symmetricEncrypt|symmetricEncodeJWT|seal|EncryptJWT|xchacha20poly1305|subtle\.encrypt|createCipheriv)\(/g;

const stored = (...fields: string[]) => ({ fields, notStored: "" });
const notStored = (reason: string) => ({ fields: [] as string[], notStored: reason });

/**
 * Every file that encrypts something, how often, and what becomes of it. Whoever adds a line here for
 * something that is stored for longer than minutes adds the column to the `secrets` of its plugin first.
 */
const KNOWN: Record<string, { fields: string[]; notStored: string; calls: number }> = {
	"better-auth/crypto/jwt": { ...notStored("the functions themselves"), calls: 1 },
	"better-auth/cookies/index": { ...notStored("the cookie of the session cache"), calls: 1 },
	"better-auth/cookies/session-store": { ...notStored("the cookie of an account"), calls: 1 },
	"better-auth/state": {
		...notStored("the state of an OAuth flow: a cookie of minutes"),
		calls: 1,
	},
	"better-auth/plugins/oauth-proxy/index": {
		...notStored("a package in a URL, for minutes"),
		calls: 3,
	},
	"better-auth/plugins/email-otp/otp-token": {
		...notStored("`storeOTP: encrypted`: a code that is valid for minutes"),
		calls: 1,
	},
	"better-auth/plugins/two-factor/otp/index": {
		...notStored("`storeOTP: encrypted`: a code that is valid for minutes"),
		calls: 1,
	},
	"better-auth/oauth2/utils": {
		...stored("account.accessToken", "account.refreshToken"),
		calls: 1,
	},
	"better-auth/plugins/two-factor/index": { ...stored("twoFactor.secret"), calls: 1 },
	"better-auth/plugins/two-factor/backup-codes/index": {
		...stored("twoFactor.backupCodes"),
		calls: 1,
	},
	"better-auth/plugins/jwt/utils": { ...stored("jwks.privateKey"), calls: 1 },
	"@better-auth/oauth-provider/utils": { ...stored("oauthClient.clientSecret"), calls: 1 },
	"@better-auth/oauth-provider/introspect": {
		...notStored("the response to a repeated refresh: for `refreshTokenReuseInterval`, seconds"),
		calls: 1,
	},
	"packages/tenant-auth/src/database/encrypted-values": {
		...notStored("`seal` and re-encryption themselves"),
		calls: 3,
	},
	"packages/tenant-auth/src/password-hashes": {
		...notStored("the hash of a password, as another system made it"),
		calls: 1,
	},
	"packages/tenant-auth/src/management/oauth-clients/cipher": {
		...stored("tenantOauthConfig.clientId", "tenantOauthConfig.clientSecret"),
		calls: 1,
	},
	"packages/tenant-auth/src/features/chooser/kept-values": {
		...notStored("what a provider has said, until the tenant is known: for ten minutes"),
		calls: 1,
	},
	"packages/tenant-auth/src/features/imports/second-factor": {
		...stored("twoFactor.secret", "twoFactor.backupCodes"),
		calls: 1,
	},
	"packages/tenant-auth/src/features/webhooks/secrets": {
		...stored("tenantWebhook.secret", "tenantWebhook.previousSecret"),
		calls: 1,
	},
	"apps/server/src/tenant-file/passphrase": {
		...notStored("the key of a tenant's file, with the password of that file"),
		calls: 1,
	},
	"apps/server/src/operators/second-factor": {
		// And the setup of a new one, which the page sends back within minutes.
		...stored("twoFactor.secret", "twoFactor.backupCodes"),
		calls: 4,
	},
};

/** The files below a directory, without the hash that a bundler adds to a name. */
function filesOf(directory: string, name: string, ending: RegExp): [name: string, text: string][] {
	return readdirSync(directory, { recursive: true, encoding: "utf8" })
		.filter((path) => ending.test(path) && !path.includes("node_modules"))
		.map((path) => [
			`${name}/${path.replace(ending, "").replace(/-[\w-]{8}$/, "")}`,
			readFileSync(join(directory, path), "utf8"),
		]);
}

const withoutComments = (text: string) => text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");

function installedFiles() {
	const packages = readdirSync(scope).filter((name) => !["utils"].includes(name));
	return [
		...filesOf(join(betterAuth, "dist"), "better-auth", /\.m?js$/),
		...packages.flatMap((name) =>
			filesOf(join(scope, name, "dist"), `@better-auth/${name}`, /\.m?js$/),
		),
		...["packages/tenant-auth/src", "apps/server/src"].flatMap((path) =>
			filesOf(join(root, path), path, /\.ts$/),
		),
	];
}

describe("the list of encrypted columns", () => {
	const files = installedFiles();

	it("has everything that the installed packages and this project encrypt", () => {
		const found = files
			.map(([name, text]) => [name, withoutComments(text).match(ENCRYPTION)?.length ?? 0] as const)
			.filter(([, calls]) => calls > 0);
		const known = Object.entries(KNOWN).map(([name, { calls }]) => [name, calls]);
		expect(Object.fromEntries(found)).toEqual(Object.fromEntries(known));
	});

	it("has nothing else", () => {
		const { secrets } = collectFeatures([tenantAuth(), tenantWebhooks()], []);
		const listed = [OWN_SECRETS, ...FOREIGN_SECRETS, ...secrets].flatMap(({ model, fields }) =>
			fields.map(({ name }) => `${model}.${name}`),
		);
		const used = new Set(Object.values(KNOWN).flatMap(({ fields }) => fields));
		expect([...used].sort()).toEqual(listed.sort());
	});

	it("has the columns of accounts that Better Auth encrypts", () => {
		const columns = files
			.filter(([name]) => name.includes("better-auth/"))
			.flatMap(([, text]) => [
				...text.matchAll(/(\w+)\s*[:=][^,;:\n]*?(?:\? )?await setTokenUtil\(/g),
			])
			.map(([, name]) => name);
		expect(new Set(notEmpty(columns))).toEqual(
			new Set(["accessToken", "refreshToken", "resolvedRefreshToken"]),
		);
	});
});
