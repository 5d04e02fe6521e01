import { twoFactor } from "better-auth/plugins";
import { runInTenant } from "better-auth-tenant";
import { expect, it, onTestFinished } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { makeInstance, PASSWORD } from "../support/worlds/instance";

it("two apps in one process may have other names for the table of a plugin", async () => {
	// The next app of this process that gives no name would get the last one.
	onTestFinished(() => void twoFactor({ twoFactorTable: "twoFactor" }));
	const makeApp = async (table: string) => {
		const app = await makeInstance({ plugins: [twoFactor({ twoFactorTable: table })] });
		return { ...app, table, context: await app.auth.$context };
	};
	const apps = [await makeApp("firstFactors"), await makeApp("secondFactors")];
	for (const { auth, context, makeTenant, signUp, call, db, table } of notEmpty(apps)) {
		const tenantId = await makeTenant();
		const { cookie } = await signUp(tenantId, "ada@example.com");
		const enabled = await call("/two-factor/enable", { cookie, body: { password: PASSWORD } });
		expect(enabled.status).toBe(200);
		expect(await db.selectFrom(table).selectAll().execute()).toHaveLength(1);
		const inTransaction = () =>
			context.adapter.transaction((trx) =>
				trx.incrementOne({
					model: "twoFactor",
					where: [{ field: "failedVerificationCount", value: 0 }],
					increment: { failedVerificationCount: 1 },
				}),
			);
		expect(await runInTenant(auth, tenantId, inTransaction)).toMatchObject({
			failedVerificationCount: 1,
		});
	}
});
