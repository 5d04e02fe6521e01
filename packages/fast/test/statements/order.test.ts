import type { BetterAuthPlugin } from "better-auth";
import { fastStatements } from "better-auth-fast";
import { runInTenant, tenantAuth } from "better-auth-tenant";
import { describe, expect, it } from "vitest";
import { makeInstance } from "../../../tenant-auth/test/support/worlds/instance";
import { makePlain, user } from "../../../tenant-auth/test/support/worlds/plain-better-auth";

describe("fastStatements()", () => {
	it.each<[string, BetterAuthPlugin]>([
		["tenantAuth()", tenantAuth()],
		["another plugin", { id: "another" }],
	])("does not start after %s, which may have changed the adapter", async (_, plugin) => {
		await expect(makePlain({ plugins: [plugin, fastStatements()] })).rejects.toThrow(
			"fastStatements() must be the first plugin",
		);
	});

	it("runs below the isolation of tenants", async () => {
		const { auth, makeTenant, signUp } = await makeInstance({
			plugins: [fastStatements()],
			pluginsFirst: true,
		});
		const [one, other] = [await makeTenant(), await makeTenant()];
		await signUp(one);
		const { adapter } = await auth.$context;
		const countUsers = (tenantId: string) =>
			runInTenant(auth, tenantId, async () => {
				const found = await adapter.findMany({ model: "user" });
				const joined = await adapter.findOne({
					model: "user",
					where: [{ field: "name", value: "User" }],
					join: { account: true },
				});
				return [found.length, joined === null];
			});
		expect(await countUsers(one)).toEqual([1, false]);
		expect(await countUsers(other)).toEqual([0, true]);
	});

	it("signs users up and in with plain Better Auth, with fewer statements", async () => {
		const { call } = await makePlain({ plugins: [fastStatements()] });
		expect((await call("/sign-up/email", { json: user })).status).toBe(200);
		expect((await call("/sign-in/email", { json: user })).status).toBe(200);
	});
});
