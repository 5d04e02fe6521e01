import { describe, expect, test } from "vitest";
import { makeSamlIdentityProvider } from "../../../../packages/tenant-auth/test/support/providers/saml-identity-provider";
import { databaseServers } from "../database-servers";
import { runningService } from "../running-service";
import { samlTenant } from "./saml-tenant";

for (const { name, isMissing, createDatabase } of databaseServers) {
	describe.skipIf(isMissing)(`SAML on ${name}`, () => {
		test("signs users in once for each response, also if it comes twice at the same time", async () => {
			const service = await runningService({ SAML: "true", DATABASE_URL: await createDatabase() });
			const idp = await makeSamlIdentityProvider("idp");
			const acme = await samlTenant(service);
			await acme.verifyDomain();
			const { metadata } = idp.config.idpMetadata;
			// The longest names: they have to fit into a column.
			const attributes = { email: "e".repeat(255), name: "n".repeat(255) };
			for (const body of [{ metadata, attributes }, { metadata }]) {
				expect((await acme.manage("/tenant/saml/set", body)).status).toBe(200);
			}
			const { url, cookie } = await acme.start();
			const form = await idp.answer(url, `ada@${acme.domain}`);
			const ends = await Promise.all([acme.finish(form, cookie), acme.finish(form, cookie)]);
			expect(ends.filter(({ user }) => user)).toHaveLength(1);
			expect(ends.map(({ status }) => status)).toEqual([302, 302]);
			const owner = await acme.signUpAs("owner", `eve@${acme.domain}`);
			const starts = await Promise.all([acme.start(), acme.start(), acme.start()]);
			const again = await Promise.all(
				starts.map(async (it) =>
					acme.finish(await idp.answer(it.url, `eve@${acme.domain}`), it.cookie),
				),
			);
			expect(again.map(({ user }) => user?.id)).toContain(owner.id);
			expect(await acme.users()).toHaveLength(2);
			expect((await acme.manage("/tenant/saml/remove")).status).toBe(200);
			expect((await acme.get("/tenant/saml/get")).identityProvider).toBeNull();
		});

		test("takes the metadata of owners who save the first one at the same time", async () => {
			const service = await runningService({ SAML: "true", DATABASE_URL: await createDatabase() });
			const { config } = await makeSamlIdentityProvider("idp");
			const acme = await samlTenant(service);
			await acme.verifyDomain();
			const { metadata } = config.idpMetadata;
			const save = () => acme.manage("/tenant/saml/set", { metadata });
			const saved = await Promise.all([save(), save(), save()]);
			expect(saved.map(({ status }) => status)).toEqual([200, 200, 200]);
			expect(await service.backend.metrics.text()).toContain('auth_saml_tenants{state="ok"} 1\n');
			expect((await acme.manage("/tenant/saml/remove")).status).toBe(200);
			expect((await acme.get("/tenant/saml/get")).identityProvider).toBeNull();
		});
	});
}
