import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { fromAuth0, readAuth0Hash } from "../src/formats/auth0";
import { fromClerk } from "../src/formats/clerk";
import type { Convert } from "../src/formats/converted";
import { fromFirebase } from "../src/formats/firebase";
import { fromKeycloak } from "../src/formats/keycloak";
import { fromRow } from "../src/formats/rows";
import { guessFormat, readRecords } from "../src/reading/records";

const CONVERT = {
	auth0: fromAuth0,
	clerk: fromClerk,
	csv: fromRow,
	firebase: fromFirebase,
	keycloak: fromKeycloak,
} satisfies Record<string, Convert>;

const pathOf = (name: string) => fileURLToPath(new URL(`./fixtures/${name}`, import.meta.url));
const OWN_COLUMNS = new Map([
	["id", "externalId"],
	["E-Mail", "email"],
]);

async function convert(name: string, format: keyof typeof CONVERT, providers = {}) {
	const found: unknown[] = [];
	for await (const { record } of readRecords(
		pathOf(name),
		format,
		format === "csv" ? OWN_COLUMNS : undefined,
	)) {
		found.push(CONVERT[format](record, { providers, findHash: () => undefined }));
	}
	return found;
}

const bcrypt = expect.stringMatching(/^\$2b\$04\$/);

describe("formats", () => {
	it.each([
		["users.ndjson", "ndjson"],
		["users.csv", "csv"],
		["auth0.ndjson", "auth0"],
		["clerk.csv", "clerk"],
		["clerk.json", "clerk"],
		["firebase.json", "firebase"],
		["firebase.csv", "firebase"],
		["keycloak-realm.json", "keycloak"],
	])("guesses that %s is %s", async (name, format) => {
		expect(await guessFormat(pathOf(name), OWN_COLUMNS)).toBe(format);
	});

	it("does not guess a file of an unknown form", async () => {
		expect(await guessFormat(pathOf("users.csv"), new Map())).toBe(null);
		expect(await guessFormat(pathOf("auth0-passwords.ndjson"), new Map())).toBe(null);
	});

	it("converts rows of a CSV file", async () => {
		expect(await convert("users.csv", "csv")).toEqual([
			{
				user: {
					externalId: "1",
					email: "ada@example.com",
					name: 'Lovelace, Ada "the first"',
					emailVerified: true,
					password: { kind: "bcrypt", hash: bcrypt },
					accounts: [{ providerId: "google", accountId: "1001" }],
				},
				notImported: ["team"],
			},
			{
				user: {
					externalId: "2",
					email: "bob@example.com",
					name: "Bob",
					emailVerified: false,
					disabled: true,
				},
				notImported: [],
			},
		]);
	});

	it("converts users of Auth0", async () => {
		expect(await convert("auth0.ndjson", "auth0", { samlp: "corp" })).toEqual([
			{
				user: {
					externalId: "auth0|5dea9f9c82dd7c0e76e4ec93",
					email: "ada@example.com",
					name: "Ada",
					image: "https://example.com/ada.png",
					emailVerified: true,
					createdAt: "2019-12-06T18:36:12.412Z",
				},
				notImported: ["user_metadata", "multifactor"],
			},
			expect.objectContaining({
				user: expect.objectContaining({
					disabled: true,
					accounts: [
						{ providerId: "google", accountId: "1001" },
						{ providerId: "corp", accountId: "corp|7" },
					],
				}),
			}),
			{ code: "NO_EMAIL", message: "The user has no email", externalId: "sms|5f0" },
		]);
		const [, bob] = await convert("auth0.ndjson", "auth0");
		expect(bob).toMatchObject({ notImported: ["identities: samlp"] });
	});

	it.each([
		"ada@example.com,ada@work.example",
		"ada@work.example|Ada@Example.com",
		"ada@work.example; ada@example.com",
		["ada@work.example", "ada@example.com"],
	])("finds the primary email of Clerk among the verified ones of %j", (verified) => {
		const record = { id: "1", primary_email_address: "ada@example.com" };
		const settings = { providers: {} };
		expect(fromClerk({ ...record, verified_email_addresses: verified }, settings)).toEqual({
			user: { externalId: "1", email: "ada@example.com", emailVerified: true },
			notImported: ["email_addresses: more than one"],
		});
		expect(fromClerk({ ...record, unverified_email_addresses: verified }, settings)).toEqual({
			user: { externalId: "1", email: "ada@example.com" },
			notImported: ["email_addresses: more than one"],
		});
	});

	it("does not take rounded numbers as ids: two people would have the same", () => {
		const settings = { providers: {} };
		const email = "ada@example.com";
		const [small, large] = JSON.parse("[7, 9007199254740993]");
		const of = (id: unknown) => ({ email, identities: [{ provider: "github", user_id: id }] });
		expect(fromAuth0({ ...of(small), user_id: "1" }, settings)).toMatchObject({
			user: { accounts: [{ providerId: "github", accountId: "7" }] },
			notImported: [],
		});
		expect(fromAuth0({ ...of(large), user_id: "1" }, settings)).toEqual({
			user: { externalId: "1", email },
			notImported: ["identities: github"],
		});
		for (const [convert, id] of [
			[fromAuth0, "user_id"],
			[fromClerk, "id"],
			[fromFirebase, "localId"],
			[fromKeycloak, "id"],
		] as const) {
			expect(convert({ email, [id]: large }, settings)).toMatchObject({ code: "NO_ID" });
		}
		const providerUserInfo = [{ providerId: "google.com", rawId: large }];
		expect(fromFirebase({ localId: "1", email, providerUserInfo }, settings)).toEqual({
			user: { externalId: "1", email },
			notImported: ["providerUserInfo: no id"],
		});
		const federatedIdentities = [{ identityProvider: "google", userId: large }];
		expect(fromKeycloak({ id: "1", email, federatedIdentities }, settings)).toEqual({
			user: { externalId: "1", email },
			notImported: ["federatedIdentities: no id"],
		});
		const external_accounts = [{ provider: "oauth_google", provider_user_id: large }];
		expect(
			fromClerk({ id: "1", primary_email_address: email, external_accounts }, settings),
		).toEqual({ user: { externalId: "1", email }, notImported: ["external_accounts: no id"] });
	});

	it("knows whose a password hash of Auth0 is", () => {
		const passwordHash = "$2b$10$x";
		expect(readAuth0Hash({ _id: { $oid: "1" }, passwordHash })?.externalId).toBe("auth0|1");
		expect(readAuth0Hash({ _id: { $oid: "1" }, alt_id: "a", passwordHash })?.externalId).toBe(
			"auth0|a",
		);
		expect(readAuth0Hash({ email: "ada@example.com", passwordHash })).toBe(null);
	});

	it("converts users of Clerk's CSV file", async () => {
		expect(await convert("clerk.csv", "clerk")).toEqual([
			{
				user: {
					externalId: "user_1",
					email: "ada@example.com",
					name: "Ada Lovelace",
					emailVerified: true,
					password: { kind: "bcrypt", hash: bcrypt },
				},
				notImported: ["totp_secret", "email_addresses: more than one"],
			},
			{
				user: {
					externalId: "user_2",
					email: "bob@example.com",
					name: "Bob",
				},
				notImported: ["verified_phone_numbers", "username", "primary_phone_number"],
			},
		]);
	});

	it("converts users of Clerk's API", async () => {
		expect(await convert("clerk.json", "clerk")).toEqual([
			{
				user: {
					externalId: "user_1",
					email: "ada@example.com",
					name: "Ada Lovelace",
					image: "https://img.example.com/1",
					emailVerified: true,
					createdAt: "2023-11-14T22:13:20.000Z",
					accounts: [{ providerId: "google", accountId: "1001" }],
				},
				notImported: ["two_factor_enabled", "password: not in this export"],
			},
			{
				user: expect.objectContaining({ externalId: "user_2", disabled: true }),
				notImported: [],
			},
		]);
	});

	it.each(["argon2id", "argon2i"])(
		"calls Clerk's %s argon2, and others by their name",
		(hasher) => {
			const record = { id: "1", primary_email_address: "a@example.com", password_digest: "x" };
			const kindOf = (password_hasher: string) => {
				const converted = fromClerk({ ...record, password_hasher }, { providers: {} });
				return "user" in converted ? converted.user.password?.kind : null;
			};
			expect([kindOf(hasher), kindOf("pbkdf2_sha256_django")]).toEqual([
				"argon2",
				"pbkdf2-sha256-django",
			]);
		},
	);

	it.each(["firebase.json", "firebase.csv"])("converts users of %s", async (name) => {
		const [ada, bob] = await convert(name, "firebase");
		expect(ada).toEqual({
			user: {
				externalId: "kYi4EvWQlQTKSfnJ3dRSP6IH3ed2",
				email: "ada@example.com",
				name: name.endsWith("csv") ? "Lovelace, Ada" : "Ada",
				emailVerified: true,
				createdAt: "2017-10-25T01:12:05.000Z",
				password: {
					kind: "firebase-scrypt",
					hash: expect.stringMatching(/^42xEC\+ixf3L2lw==\$lSrfV15c/),
				},
				accounts: [{ providerId: "google", accountId: "1001" }],
			},
			notImported: ["lastSignedInAt"],
		});
		expect(bob).toMatchObject({
			user: { externalId: "bob", disabled: true },
			notImported: expect.arrayContaining(["phoneNumber"]),
		});
	});

	it("converts users of a Keycloak realm, and skips service accounts", async () => {
		const [ada, bob, eve, service] = await convert("keycloak-realm.json", "keycloak");
		expect(ada).toEqual({
			user: {
				externalId: "8e9b6c1e-0001",
				email: "ada@example.com",
				name: "Ada",
				emailVerified: true,
				createdAt: "2023-11-14T22:13:20.000Z",
				password: { kind: "keycloak-pbkdf2", hash: expect.stringMatching(/^sha512\$1000\$/) },
				accounts: [{ providerId: "google", accountId: "1001" }],
			},
			notImported: ["realmRoles", "username", "credentials: otp"],
		});
		expect(bob).toMatchObject({
			user: { disabled: true, password: { hash: expect.stringMatching(/^sha256/) } },
		});
		expect(eve).toMatchObject({
			user: {
				password: {
					kind: "argon2",
					hash: expect.stringMatching(/^\$argon2id\$v=19\$m=64,t=1,p=1\$[^=$]+\$[^=$]+$/),
				},
			},
		});
		expect(service).toMatchObject({ code: "NOT_A_PERSON" });
	});
});
