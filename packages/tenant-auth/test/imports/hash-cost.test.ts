import { describe, expect, it, vi } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { makeInstance } from "../support/worlds/instance";

const salt = "c2FsdHNhbHRzYWx0";
const key = "a2V5a2V5a2V5a2V5a2V5a2V5a2V5a2V5a2V5a2V5a2V5";
const bcrypt = (cost: string) =>
	`$2b$${cost}$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy`;
const argon2 = (cost: string) => `$argon2id$v=19$${cost}$${salt}$${key}`;

/** What services export, and defaults of libraries. */
const usual = {
	"Auth0 and Clerk": bcrypt("10"),
	"PHP's bcrypt": bcrypt("12").replace("$2b$", "$2y$"),
	"bcrypt at the limit": bcrypt("15"),
	"Django's bcrypt": `bcrypt_sha256$${bcrypt("12")}`,
	Keycloak: argon2("m=7168,t=5,p=1"),
	"argon2 of npm": argon2("m=65536,t=3,p=4"),
	"Django's Argon2": `argon2${argon2("m=102400,t=2,p=8")}`,
	"libsodium, moderate": argon2("m=262144,t=3,p=1"),
	"Argon2 without a version": `$argon2i$m=4096,t=3,p=1$${salt}$${key}`,
	"Keycloak's PBKDF2": `sha512$210000$${salt}$${key}`,
	"Keycloak's PBKDF2 with SHA-1": `sha1$1300000$${salt}$${key}`,
	"Django's PBKDF2": `pbkdf2_sha256$1200000$${salt}$${key}`,
	"Werkzeug's PBKDF2": `pbkdf2:sha256:1000000$${salt}$${"0f".repeat(32)}`,
	"passlib's PBKDF2": `$pbkdf2-sha256$29000$${salt}$${key}`,
	Firebase: `${salt}$${key}`,
	"Firebase at Clerk": `${key}$${salt}$${key}$Bw==$8$14`,
	"Werkzeug's scrypt": `scrypt:32768:8:1$${salt}$${"0f".repeat(64)}`,
	"Django's scrypt": `scrypt$16384$${salt}$8$5$${key}`,
	"passlib's scrypt": `$scrypt$ln=16,r=8,p=1$${salt}$${key}`,
	"SHA-crypt": `$6$rounds=656000$${salt}$${key}`,
	"WordPress's phpass": `$P$B${salt}${key}`,
	"Django's SHA-1": `sha1$12345678$${"0f".repeat(20)}`,
	"a form of the app's own": "99999999$salt$key",
};

const costly = {
	bcrypt: bcrypt("31"),
	"bcrypt over the limit": bcrypt("16"),
	"bcrypt after a name": `bcrypt$${bcrypt("20")}`,
	"Argon2 with 4 GiB": argon2("m=4194304,t=1,p=1"),
	"Argon2 with many iterations": argon2("m=65536,t=1000000,p=1"),
	"Argon2 with many threads": argon2("m=65536,t=1,p=1000"),
	"Argon2 that names its memory twice": argon2("m=64,t=1,p=1,m=4194304"),
	"Argon2 without its memory": argon2("t=1,p=1"),
	"Argon2 with a number in another form": argon2("m=4e9,t=1,p=1"),
	"PBKDF2 of Keycloak": `sha256$2000001$${salt}$${key}`,
	"PBKDF2 of Django": `pbkdf2_sha256$999999999$${salt}$${key}`,
	"PBKDF2 of Werkzeug": `pbkdf2:sha256:999999999$${salt}$${key}`,
	"PBKDF2 of passlib": `$pbkdf2-sha512$999999999$${salt}$${key}`,
	"PBKDF2 as a PHC string": `$pbkdf2-sha256$i=999999999,l=32$${salt}$${key}`,
	"PBKDF2 with a line break in the salt": `pbkdf2_sha256$999999999$a\nb$${key}`,
	"PBKDF2 of Keycloak with a line break": `sha256$2000001$${salt}$${key}\n`,
	"PBKDF2 with a long key": `pbkdf2_sha256$1000000$${salt}$${key.repeat(20)}`,
	"scrypt of Werkzeug": `scrypt:1073741824:8:1$${salt}$${key}`,
	"scrypt of Django": `scrypt$16384$${salt}$8$9999$${key}`,
	"scrypt of passlib": `$scrypt$ln=31,r=8,p=1$${salt}$${key}`,
	"scrypt of Firebase at Clerk": `${key}$${salt}$${key}$Bw==$8$31`,
	"SHA-crypt": `$6$rounds=999999999$${salt}$${key}`,
	phpass: `$P$S${salt}${key}`,
};

const lineOf = (hash: string, index = 0) => ({
	externalId: String(index),
	email: `user-${index}@example.com`,
	password: { kind: "any", hash },
});

async function setUp(verify: () => boolean = () => true) {
	const app = await makeInstance({ imports: { passwordHashes: { any: { verify } } } });
	const tenantId = await app.makeTenant();
	const send = async (hashes: Record<string, string>) => {
		const users = Object.values(hashes).map(lineOf);
		const { results } = await app.auth.api.importTenantUsers({ body: { tenantId, users } });
		const names = Object.keys(hashes);
		return Object.fromEntries(results.map(({ code }, index) => [names[index], code]));
	};
	return { ...app, tenantId, send };
}

const all = (hashes: object, code: string | null) =>
	Object.fromEntries(Object.keys(hashes).map((name) => [name, code]));

describe("the cost of an imported hash", () => {
	it("may be what services and libraries use", async () => {
		const { send } = await setUp();
		expect(await send(usual)).toEqual(all(usual, null));
	});

	it("may not be so high that a sign-in would stop the process", async () => {
		const { send } = await setUp();
		expect(await send(costly)).toEqual(all(costly, "PASSWORD_HASH_TOO_COSTLY"));
	});

	it("counts for a hash of the app's own form too", async () => {
		const password = { hash: async () => bcrypt("10"), verify: async () => true };
		const app = await makeInstance({ emailAndPassword: { enabled: true, password } });
		const tenantId = await app.makeTenant();
		const codeOf = async (cost: string) => {
			const users = [{ ...lineOf("", 1), password: { kind: "better-auth", hash: bcrypt(cost) } }];
			const { results } = await app.auth.api.importTenantUsers({ body: { tenantId, users } });
			return results[0]?.code;
		};
		expect(await codeOf("31")).toBe("PASSWORD_HASH_TOO_COSTLY");
		expect(await codeOf("10")).toBe(null);
	});

	it("is checked again before a stored hash is verified", async () => {
		const verify = vi.fn(() => true);
		const { db, send, signIn, tenantId } = await setUp(verify);
		await send({ one: bcrypt("10") });
		const account = () => db.selectFrom("account").selectAll().executeTakeFirstOrThrow();
		const stored = String((await account()).password);
		const { email } = lineOf("");
		for (const hash of notEmpty(Object.values(costly))) {
			const password = stored.replace(bcrypt("10"), () => hash);
			await db.updateTable("account").set({ password }).execute();
			expect((await signIn(tenantId, { email })).status).toBe(401);
		}
		expect(verify).not.toHaveBeenCalled();
		await db.updateTable("account").set({ password: stored }).execute();
		expect((await signIn(tenantId, { email })).status).toBe(200);
	});
});
