import { beforeAll, describe, expect, test } from "vitest";
import {
	makeSamlIdentityProvider,
	type SamlIdentityProvider,
} from "../../../packages/tenant-auth/test/support/providers/saml-identity-provider";
import { notEmpty } from "../../../testing/not-empty";
import { useService } from "./running-service";
import { samlTenant } from "./saml/saml-tenant";

const service = useService({ SAML: "true" });

let idp: SamlIdentityProvider;

beforeAll(async () => {
	idp = await makeSamlIdentityProvider("idp");
});

const DIRECTORY = "1b2c3d4e-0000-4000-8000-000000000001";

/** A tenant, and what its sign-in page learns about the domain of an email. */
async function withTenant(name: string) {
	const running = await service();
	const tenant = await samlTenant(running, { name });
	const ask = async (domain: string, tenantId = tenant.tenantId) => {
		const query = new URLSearchParams({ domain });
		const response = await running.call(`/api/auth/email-domain/providers?${query}`, {
			headers: { "x-tenant-id": tenantId },
		});
		return { status: response.status, body: (await response.json()) as unknown };
	};
	const trust = async (trustEmails: string[], enabled = true) => {
		const config = { providerId: "microsoft", options: { tenantId: DIRECTORY } };
		const client = { clientId: "client", clientSecret: "secret" };
		const body = { ...config, ...client, trustEmails, enabled };
		expect((await tenant.manage("/tenant/oauth-config/register", body)).status).toBe(200);
	};
	const connect = async () => {
		const { metadata } = idp.config.idpMetadata;
		expect((await tenant.manage("/tenant/saml/set", { metadata })).status).toBe(200);
	};
	return { ...tenant, running, ask, trust, connect };
}

const providers = (...ids: string[]) => ({ status: 200, body: { providers: ids } });

describe("the providers of an email domain", () => {
	test("have SAML for each domain that the tenant has verified", async () => {
		const { ask, connect, verifyDomain, loseDomains, domain } = await withTenant("one");
		await verifyDomain();
		expect(await ask(domain)).toEqual(providers());
		await connect();
		expect(await ask(domain)).toEqual(providers("saml"));
		expect(await ask(domain.toUpperCase())).toEqual(providers("saml"));
		expect(await ask("other.example")).toEqual(providers());
		await loseDomains();
		expect(await ask(domain)).toEqual(providers());
	});

	test("do not have SAML for a domain that the tenant has only added", async () => {
		const { ask, connect, manage, verifyDomain } = await withTenant("two");
		await verifyDomain();
		await connect();
		const added = await manage("/tenant/domain/add", { host: "added.com", purpose: "email" });
		expect(added.status).toBe(200);
		expect(await ask("added.com")).toEqual(providers());
	});

	test("have each provider that the tenant trusts with the domain", async () => {
		const { ask, trust } = await withTenant("three");
		await trust(["three.example", "bücher.example"].map((host) => new URL(`https://${host}`).host));
		expect(await ask("three.example")).toEqual(providers("microsoft"));
		expect(await ask("bücher.example")).toEqual(providers("microsoft"));
		expect(await ask("sub.three.example")).toEqual(providers());
	});

	test("do not have one that is off", async () => {
		const { ask, trust } = await withTenant("four");
		await trust(["four.example"], false);
		expect(await ask("four.example")).toEqual(providers());
	});

	test("ignore a list that cannot be read", async () => {
		const { ask, trust, tenantId, running } = await withTenant("unread");
		await trust(["unread.example"]);
		const { adapter } = await running.backend.auth.$context;
		for (const trustEmails of notEmpty(["{", "null", '"unread.example"', "[1]"])) {
			const where = [{ field: "tenantId", value: tenantId }];
			await adapter.updateMany({ model: "tenantOauthConfig", where, update: { trustEmails } });
			expect(await ask("unread.example")).toEqual(providers());
		}
	});

	test("say nothing about another tenant", async () => {
		const five = await withTenant("five");
		const six = await withTenant("six");
		await five.verifyDomain();
		await five.connect();
		await five.trust([five.domain]);
		expect(await five.ask(five.domain)).toEqual(providers("saml", "microsoft"));
		expect(await six.ask(five.domain)).toEqual(providers());
	});

	test("are not there for a suspended tenant", async () => {
		const { ask, trust, manage } = await withTenant("seven");
		await trust(["seven.example"]);
		await manage("/tenant/suspend");
		expect(await ask("seven.example")).toMatchObject({
			status: 403,
			body: { code: "TENANT_SUSPENDED" },
		});
	});

	test.each([
		"",
		"acme",
		"ada@acme.com",
		"acme.com ",
		"acme.com/x",
		"acme.com\u0000",
		"x".repeat(300),
	])("are not looked for by %j", async (domain) => {
		const { ask } = await withTenant("eight");
		expect((await ask(domain)).status).toBe(400);
	});

	test("need a tenant", async () => {
		const { running } = await withTenant("nine");
		const response = await running.call("/api/auth/email-domain/providers?domain=acme.com");
		expect([response.status, await response.json()]).toMatchObject([
			400,
			{ code: "TENANT_ID_REQUIRED" },
		]);
	});

	test("are asked for at most 120 times in a minute from one address", async () => {
		const { auth } = (await service()).backend;
		const rules = auth.options.plugins.flatMap((plugin) =>
			"rateLimit" in plugin ? (plugin.rateLimit ?? []) : [],
		);
		const rule = rules.find(({ pathMatcher }) => pathMatcher("/email-domain/providers"));
		expect(rule).toMatchObject({ window: 60, max: 120 });
	});
});
