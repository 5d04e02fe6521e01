import { tenantHosts } from "better-auth-tenant";
import { recheckDomains } from "better-auth-tenant/domains";
import { describe, expect, it } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { DOMAIN_ROUTES } from "../../src/features/domains/routes";
import { expectRefusal } from "../support/http/refusal";
import { makeInstance } from "../support/worlds/instance";
import { makePeople } from "../support/worlds/people";

describe("an app without tenantDomains()", () => {
	it("has no table of domains and no endpoint for them", async () => {
		const { auth, manage } = await makeInstance({ features: false });
		expect((await auth.$context).tables).not.toHaveProperty("tenantDomain");
		const paths = [...Object.values(DOMAIN_ROUTES).map(({ path }) => path), "/tenant/hand-over"];
		for (const path of notEmpty(paths)) {
			expect([path, (await manage(path)).status]).toEqual([path, 404]);
			expect([path, (await manage(path, { body: {} })).status]).toEqual([path, 404]);
		}
		await expect(recheckDomains(auth)).rejects.toThrow("tenantDomains() is not among the plugins");
	});

	it("refuses an unknown host without a statement", async () => {
		const hosts = tenantHosts({ domain: "example.com" });
		const { call, statements } = await makeInstance({ features: false, tenants: { hosts } });
		statements.length = 0;
		const body = { name: "Ada", email: "ada@example.com", password: "correct horse battery" };
		// Better Auth does not allow the host, so it uses the one of the platform.
		const answer = await call("https://login.acme.com/api/auth/tenant/sign-up/email", { body });
		expectRefusal(answer, 404, "TENANT_NOT_FOUND");
		expect(statements).toEqual([]);
	});

	it("lets no owner trust a provider with emails, because no tenant has proved a domain", async () => {
		const { call, owner, tenantId } = await makePeople({ features: false });
		const body = {
			...{ tenantId, providerId: "gitlab", clientId: "id", clientSecret: "secret" },
			...{ options: { issuer: "https://gitlab.com" }, trustEmails: ["acme.com"] },
		};
		const answer = await call("/tenant/oauth-config/register", { body, cookie: owner.cookie });
		expectRefusal(answer, 403, "TENANT_MANAGEMENT_NOT_ALLOWED");
	});
});
