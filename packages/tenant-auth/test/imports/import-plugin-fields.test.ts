import { createOTP } from "@better-auth/utils/otp";
import { phoneNumber, twoFactor, username } from "better-auth/plugins";
import {
	decodeTotpSecret,
	type ImportedUser,
	type ImportResult,
	importUsers,
	missingPluginFields,
} from "better-auth-tenant/imports";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import type { OpenDatabase } from "../support/databases/databases";
import { eachDatabase } from "../support/databases/each-database";
import { type Instance, makeInstance } from "../support/worlds/instance";

/** Base32 of the key. */
const SECRET = "MEQHGZLDOJSXIIDPMYQHI53FNZ2HSIJB";
const KEY = "a secret of twenty!!";

async function run(app: Instance, tenantId: string, ...lines: object[]) {
	const users = lines as ImportedUser[];
	const results: ImportResult[] = [];
	for await (const it of importUsers(app.auth, { tenantId, lines: users })) results.push(it);
	return results;
}

const line = (externalId: string, more: object = {}) => ({
	externalId,
	email: `${externalId}@example.com`,
	...more,
});

describe.each(eachDatabase)("fields of plugins in imports on %s", (_, open) => {
	let on: OpenDatabase;
	let app: Instance;

	beforeAll(async () => {
		on = await open();
		const phone = phoneNumber({
			sendOTP: () => {},
			phoneNumberValidator: (number) => number.startsWith("+"),
		});
		const plugins = [username(), phone, twoFactor()];
		app = await makeInstance({ on, plugins });
	});
	afterAll(() => on.close());

	const userOf = async (tenantId: string, userId: string | null | undefined) =>
		(await app.manage("/tenant/user/get", { query: { tenantId, userId: String(userId) } })).body
			.user;

	it("are stored as the plugins store them, and repeated", async () => {
		const tenantId = await app.makeTenant();
		const ada = line("ada", { username: "Ada_L", phoneNumber: "+1", phoneNumberVerified: true });
		const [created] = await run(app, tenantId, ada);
		expect(created).toMatchObject({ status: "created", message: null });
		const stored = { username: "ada_l", displayUsername: "Ada_L", phoneNumber: "+1" };
		expect(await userOf(tenantId, created?.userId)).toMatchObject({
			...stored,
			phoneNumberVerified: true,
		});
		expect(await run(app, tenantId, ada)).toMatchObject([{ status: "unchanged" }]);
		// Nobody has verified the new number.
		const moved = line("ada", { phoneNumber: "+2" });
		expect(await run(app, tenantId, moved)).toMatchObject([{ status: "updated" }]);
		expect(await userOf(tenantId, created?.userId)).toMatchObject({
			...stored,
			phoneNumber: "+2",
			phoneNumberVerified: false,
		});
	});

	it("are unique in a tenant, and free in another one", async () => {
		const [tenantId, other] = [await app.makeTenant(), await app.makeTenant()];
		const results = await run(
			app,
			tenantId,
			line("ada", { username: "same", phoneNumber: "+3" }),
			line("bob", { username: "SAME" }),
			line("carl", { phoneNumber: "+3" }),
			line("ada", { username: "changed" }),
			line("bob", { username: "same" }),
		);
		expect(results.map(({ status, code }) => code ?? status)).toEqual([
			...["created", "VALUE_TAKEN", "VALUE_TAKEN", "updated", "created"],
		]);
		expect(results[1]?.message).toBe("Another user of the tenant has this username");
		expect(results[2]?.message).toBe("Another user of the tenant has this phoneNumber");
		const elsewhere = await run(app, other, line("eve", { username: "same", phoneNumber: "+3" }));
		expect(elsewhere).toMatchObject([{ status: "created" }]);
		// A later call sees it too.
		const later = await run(app, tenantId, line("dora", { username: "changed" }));
		expect(later).toMatchObject([{ status: "failed", code: "VALUE_TAKEN" }]);
	});

	it("fail one line, and not the others, without the secret in a message", async () => {
		const tenantId = await app.makeTenant();
		const wrong: [object, string][] = [
			[{ username: "ab" }, "[username] is too short"],
			[{ username: "a".repeat(31) }, "[username] is too long"],
			[{ username: "not valid" }, "[username] is not valid"],
			[{ phoneNumber: "555" }, "[phoneNumber] is not valid"],
			[{ phoneNumberVerified: true }, "[phoneNumberVerified] needs a phoneNumber"],
			[{ totpSecret: "not base32!" }, "[totpSecret] is not base32 of a text"],
			[{ totpSecret: "JBSWY3DPEHPK3PXP" }, "[totpSecret] is not base32 of a text"],
		];
		const lines = notEmpty(wrong).map(([more], at) => line(`wrong-${at}`, more));
		const results = await run(app, tenantId, ...lines, line("right"));
		expect(results.at(-1)).toMatchObject({ status: "created" });
		for (const [at, [, message]] of notEmpty([...wrong.entries()])) {
			expect(results[at]).toMatchObject({ status: "failed", code: "VALIDATION_ERROR" });
			expect(results[at]?.message).toContain(message);
			expect(results[at]?.message).not.toContain("JBSWY3DPEHPK3PXP");
		}
	});

	it("store a second factor that the next sign-in asks for, for new users only", async () => {
		const tenantId = await app.makeTenant();
		const { password } = await app.auth.$context;
		const hash = await password.hash("a long password");
		const own = { password: { kind: "better-auth", hash } };
		const [created] = await run(app, tenantId, line("ada", { ...own, totpSecret: SECRET }));
		expect(created).toMatchObject({ status: "created" });
		const credentials = { email: "ada@example.com", password: "a long password" };
		const first = await app.signIn(tenantId, credentials);
		expect(first.body).toMatchObject({ twoFactorRedirect: true, twoFactorMethods: ["totp"] });
		const verify = (code: string) =>
			app.call("/two-factor/verify-totp", {
				tenant: tenantId,
				cookie: first.cookie,
				body: { code },
			});
		expect((await verify("000000")).status).toBe(401);
		expect((await verify(await createOTP(KEY).totp())).status).toBe(200);
		// The user may have turned it off since.
		await run(app, tenantId, line("bob", own));
		expect(await run(app, tenantId, line("bob", { totpSecret: SECRET }))).toMatchObject([
			{ status: "unchanged" },
		]);
		const plain = await app.signIn(tenantId, { ...credentials, email: "bob@example.com" });
		expect(plain.body.twoFactorRedirect).toBeUndefined();
	});
});

describe("an app without the plugins", () => {
	it("refuses their fields by name", async () => {
		const app = await makeInstance();
		const tenantId = await app.makeTenant();
		const given = { username: "ada", phoneNumber: "+1", totpSecret: SECRET };
		const lines = Object.entries(given).map(([name, value]) => line(name, { [name]: value }));
		const results = await run(app, tenantId, ...lines, line("plain"));
		expect(results.map(({ message }) => message)).toEqual([
			"[username] needs the plugin username(), which your app does not have",
			"[phoneNumber] needs the plugin phoneNumber(), which your app does not have",
			"[totpSecret] needs the plugin twoFactor(), which your app does not have",
			null,
		]);
		expect([...missingPluginFields(app.auth.options).keys()]).toEqual([
			...["username", "phoneNumber", "phoneNumberVerified", "totpSecret"],
		]);
	});

	it.each([{ totpOptions: { digits: 8 as const } }, { totpOptions: { disable: true } }])(
		"refuses secrets whose codes would not match: %j",
		async (options) => {
			const app = await makeInstance({ plugins: [twoFactor(options)] });
			const tenantId = await app.makeTenant();
			const [result] = await run(app, tenantId, line("ada", { totpSecret: SECRET }));
			expect(result).toMatchObject({ status: "failed", code: "VALIDATION_ERROR" });
		},
	);

	it("decodes secrets as authenticator apps show them", () => {
		expect(decodeTotpSecret(SECRET)).toBe(KEY);
		const inGroups = SECRET.toLowerCase().replaceAll(/.{4}/g, "$& ").replace(" ", "-");
		expect(decodeTotpSecret(`${inGroups.trim()}==`)).toBe(KEY);
		expect(decodeTotpSecret("")).toBeNull();
	});
});
