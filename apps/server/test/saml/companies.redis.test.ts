import { describe, expect, test } from "vitest";
import { makeSamlIdentityProvider } from "../../../../packages/tenant-auth/test/support/providers/saml-identity-provider";
import { services } from "../../../../testing/services";
import { runningService } from "../running-service";
import { patch, person, scimTenant } from "../scim/scim-tenant";
import { samlTenant } from "./saml-tenant";

describe.skipIf(!services.redis)("with Redis", () => {
	test("a directory ends sessions at once, and a company signs in with SAML", async () => {
		const service = await runningService(
			{ SCIM: "true", SAML: "true", REDIS_URL: services.redis ?? "" },
			{ redisPrefix: "tenant-server-companies:" },
		);
		const { scim, signUpAs, sessionOf } = await scimTenant(service);
		const ada = await signUpAs("member", "ada@example.com");
		const { body } = await scim("POST", "/Users", person("ada@example.com"));
		expect(await sessionOf(ada.cookie)).toMatchObject({ user: { id: ada.id } });
		const off = patch({ op: "Replace", path: "active", value: "False" });
		expect((await scim("PATCH", `/Users/${body.id}`, off)).body.active).toBe(false);
		expect(await sessionOf(ada.cookie)).toBeNull();

		const idp = await makeSamlIdentityProvider("idp");
		const acme = await samlTenant(service);
		await acme.verifyDomain();
		await acme.manage("/tenant/saml/set", { metadata: idp.config.idpMetadata.metadata });
		const { url, cookie } = await acme.start();
		const form = await idp.answer(url, "eve@acme.com");
		expect((await acme.finish(form, cookie)).user).toMatchObject({ email: "eve@acme.com" });
		expect((await acme.finish(form, cookie)).user).toBeNull();
	});
});
