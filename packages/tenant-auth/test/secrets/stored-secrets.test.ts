import {
	inspectStoredSecrets,
	reencryptStoredSecrets,
	runInTenant,
	type StoredSecret,
} from "better-auth-tenant";
import { describe, expect, it, onTestFinished } from "vitest";
import { eachDatabase } from "../support/databases/each-database";
import { makeEncryptingApp, newest, newestOnly, rotating } from "./encrypting-app";

type Auth = Parameters<typeof inspectStoredSecrets>[0];

/** The state of each table that has encrypted values. */
async function statesOf(auth: Auth) {
	const found: StoredSecret[] = [];
	for await (const secret of inspectStoredSecrets(auth)) found.push(secret);
	return Object.fromEntries(found.map(({ model, state }) => [model, state]));
}

const everywhere = (state: string) => ({
	tenantOauthConfig: state,
	tenantWebhook: state,
	twoFactor: state,
	account: state,
	jwks: state,
});

describe.each(eachDatabase)("stored secrets on %s", (_, open) => {
	async function openApp() {
		const on = await open();
		onTestFinished(() => on.close());
		return makeEncryptingApp(on);
	}

	it("do not need the old secret after they were re-encrypted", async () => {
		const { restart, code, recoveryCodes, tenantId, linked } = await openApp();
		const both = restart(rotating);
		expect(await statesOf(both.auth)).toEqual(everywhere("outdated"));
		const one = { total: 1, reencrypted: 1, unreadable: 0 };
		expect(await reencryptStoredSecrets(both.auth)).toEqual({
			done: 7,
			// Two accounts have passwords instead.
			total: 7,
			reencrypted: 5,
			unreadable: [],
			tables: {
				tenantOauthConfig: one,
				tenantWebhook: one,
				twoFactor: one,
				account: one,
				jwks: one,
			},
		});

		const { auth, signIn } = restart(newestOnly);
		expect(await statesOf(auth)).toEqual(everywhere("current"));
		expect((await signIn("verify-totp", code())).status).toBe(200);
		expect((await signIn("verify-backup-code", recoveryCodes[0])).status).toBe(200);
		expect(await auth.api.getAccessToken({ body: linked })).toMatchObject({
			accessToken: "the access token",
		});
		const signed = await runInTenant(auth, tenantId, () =>
			auth.api.signJWT({ body: { payload: { sub: "ada" } } } as never),
		);
		expect(signed).toMatchObject({ token: expect.any(String) });
		expect(await reencryptStoredSecrets(auth)).toMatchObject({ reencrypted: 0, unreadable: [] });
	});

	it("that change while they are re-encrypted keep the change", async () => {
		const { restart, recoveryCodes } = await openApp();
		const both = restart(rotating);
		const { adapter } = await both.auth.$context;
		const { updateMany } = adapter;
		let calls = 0;
		adapter.updateMany = async (query) => {
			if (query.model === "twoFactor") {
				calls += 1;
				// By a server that does not have the new secret yet.
				if (calls === 1) await useRecoveryCode();
			}
			return updateMany(query);
		};
		const useRecoveryCode = async () => {
			const older = restart({ secret: rotating.secret });
			expect((await older.signIn("verify-backup-code", recoveryCodes[0])).status).toBe(200);
		};
		expect(await reencryptStoredSecrets(both.auth)).toMatchObject({ unreadable: [] });
		expect(calls).toBe(2);
		const { signIn } = restart(newestOnly);
		expect((await signIn("verify-backup-code", recoveryCodes[0])).status).toBe(401);
		expect((await signIn("verify-backup-code", recoveryCodes[1])).status).toBe(200);
	});
});

describe.each([
	["was removed too early", newestOnly],
	["was replaced without a version", { secret: newest }],
])("if the old secret %s", (_, secrets) => {
	it("codes are refused with 503, and the log names the remedy", async () => {
		const { restart, code, recoveryCodes } = await makeEncryptingApp();
		const { auth, signIn, lines } = restart(secrets);
		expect(await statesOf(auth)).toEqual(everywhere("unreadable"));
		for (const [path, text, column] of [
			["verify-totp", code(), "twoFactor.secret"],
			["verify-backup-code", recoveryCodes[0], "twoFactor.backupCodes"],
		] as const) {
			expect(await signIn(path, text)).toMatchObject({
				status: 503,
				body: { code: "STORED_SECRET_DECRYPT_FAILED" },
			});
			expect(lines.at(-1)).toMatch(new RegExp(`${column}.*BETTER_AUTH_SECRETS`));
		}
	});

	it("tokens are not signed, and those of accounts not returned", async () => {
		const { restart, tenantId, userId, linked } = await makeEncryptingApp();
		const { auth, lines } = restart(secrets);
		const refused = {
			status: "SERVICE_UNAVAILABLE",
			body: { code: "STORED_SECRET_DECRYPT_FAILED" },
		};
		const sign = { body: { payload: { sub: userId } } } as never;
		await expect(runInTenant(auth, tenantId, () => auth.api.signJWT(sign))).rejects.toMatchObject(
			refused,
		);
		expect(lines.at(-1)).toContain("jwks.privateKey");
		await expect(auth.api.getAccessToken({ body: linked })).rejects.toMatchObject({
			status: "BAD_REQUEST",
			body: { code: "FAILED_TO_GET_ACCESS_TOKEN" },
		});
		expect(lines.at(-1)).toMatch(/account\.accessToken.*BETTER_AUTH_SECRETS/);
	});

	it("a second factor can still be removed, and the public keys still be read", async () => {
		const { restart, tenantId, userId } = await makeEncryptingApp();
		const { auth, post } = restart(secrets);
		expect((await auth.api.getJwks()).keys).toHaveLength(1);
		const removed = await post("/tenant/user/remove-second-factor", { tenantId, userId });
		expect(removed.status).toBe(200);
		expect(await statesOf(auth)).not.toHaveProperty("twoFactor");
	});
});

it("values that are not encrypted are left alone", async () => {
	const { restart, db } = await makeEncryptingApp();
	// From before the app encrypted tokens. Even a hexadecimal token is too short for a ciphertext.
	const tokens = {
		accessToken: "gho_plain",
		refreshToken: "a94a8fe5ccb19ba61c4c0873d391e987982fbbd3",
	};
	await db.updateTable("account").set(tokens).where("providerId", "=", "github").execute();
	const { auth } = restart(rotating);
	const { tables } = await reencryptStoredSecrets(auth);
	expect(tables.account).toEqual({ total: 0, reencrypted: 0, unreadable: 0 });
	const rows = db.selectFrom("account").selectAll().where("providerId", "=", "github");
	expect(await rows.executeTakeFirstOrThrow()).toMatchObject(tokens);
});
