import { tenantAuth } from "better-auth-tenant";
import { tenantImports } from "better-auth-tenant/imports";
import { describe, expect, it } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { MANAGEMENT_KEY, makeInstance, PASSWORD } from "../support/worlds/instance";

describe("an imported password", () => {
	const email = "ada@example.com";
	const hash = "any";
	const users = [{ externalId: "1", email, password: { kind: "slow", hash } }];

	async function setUp(verify: () => boolean | Promise<boolean>) {
		const app = await makeInstance({ imports: { passwordHashes: { slow: { verify } } } });
		const tenantId = await app.makeTenant();
		await app.auth.api.importTenantUsers({ body: { tenantId, users } });
		const stored = async () => {
			const rows = await app.db.selectFrom("account").select("password").execute();
			return String(rows[0]?.password);
		};
		return { ...app, tenantId, stored };
	}

	it("is not replaced if the user has changed it meanwhile", async () => {
		const { db, signIn, tenantId, stored } = await setUp(async () => {
			await db.updateTable("account").set({ password: "changed" }).execute();
			return true;
		});
		expect((await signIn(tenantId, { email })).status).toBe(200);
		expect(await stored()).toBe("changed");
	});

	it("is wrong if its verification throws or answers anything but true", async () => {
		const answers = [
			() => Promise.reject(new Error("broken hash")),
			() => "yes" as unknown as boolean,
			() => false,
		];
		for (const verify of notEmpty(answers)) {
			const { signIn, tenantId } = await setUp(verify);
			expect((await signIn(tenantId, { email })).status).toBe(401);
		}
	});

	it.each([
		["the app has no tenantImports()", []],
		["tenantImports() has no such kind", [tenantImports()]],
	])("is wrong if nothing can verify it any more: %s", async (_, plugins) => {
		const { db, options, signIn, tenantId } = await setUp(() => true);
		const { betterAuth } = await import("better-auth");
		const later = betterAuth({
			...options,
			plugins: [tenantAuth({ managementKeys: [MANAGEMENT_KEY] }), ...plugins],
		});
		const body = { tenantId, email, password: PASSWORD };
		await expect(later.api.signInEmailTenant({ body })).rejects.toMatchObject({ statusCode: 401 });
		expect((await signIn(tenantId, { email })).status).toBe(200);
		await db.destroy();
	});

	it("of a wrong kind stops the start", () => {
		const verify = () => true;
		for (const kind of ["better-auth", "", "With Space", "a:b", "x".repeat(33)]) {
			const passwordHashes = { [kind]: { verify } };
			expect(() => tenantImports({ passwordHashes })).toThrow(/passwordHashes/);
		}
	});
});
