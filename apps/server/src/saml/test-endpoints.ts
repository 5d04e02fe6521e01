import { APIError, createAuthEndpoint } from "better-auth/api";
import { manageTenant } from "better-auth-tenant";
import { requireTestAllowed } from "better-auth-tenant/openid";
import * as z from "zod";
import { describe, tenantId } from "../endpoint-description";
import type { ServiceConfig } from "../settings/service-config";
import { connectionTestSchema, testConnection } from "./connection-test";
import { findEmailDomains } from "./email-domains";
import { notSetUp } from "./errors";
import { providerStore } from "./provider-store";
import { serviceProviderOf } from "./service-provider";
import { testCookieOf } from "./test-cookie";
import { testResultSchema, testStore } from "./test-sign-in";
import { FLOW_SECONDS } from "./times";

const started = z.object({
	testId: z.string().meta({ description: "For /tenant/saml/test-result" }),
	url: z.string().meta({ description: "Open it in the same browser; it works once" }),
	expiresAt: z.date().meta({ description: "When the test ends" }),
});

const read = z.object({
	result: testResultSchema.nullable().meta({ description: "null while nobody has signed in" }),
});

/** The endpoints that test the SAML identity provider of a tenant. */
export function samlTestEndpoints(config: ServiceConfig) {
	const allowPrivate = config.settings.allowPrivateProviderHosts;
	return {
		testTenantSaml: createAuthEndpoint(
			"/tenant/saml/test",
			{
				method: "POST",
				body: z.strictObject({ tenantId }),
				metadata: describe(
					"Test the SAML identity provider of a tenant, without a person",
					connectionTestSchema,
				),
			},
			async (ctx) => {
				const tenant = await manageTenant(ctx, "saml:test");
				const stored = await tenant.read(providerStore(ctx.context).find);
				if (!stored) throw notSetUp();
				requireTestAllowed(config, tenant.tenantId);
				const own = serviceProviderOf(config, tenant.slug);
				const emailDomains = await findEmailDomains(ctx.context.adapter, tenant.tenantId);
				return ctx.json(await testConnection({ stored, own, emailDomains, allowPrivate }));
			},
		),
		startTenantSamlTest: createAuthEndpoint(
			"/tenant/saml/start-test",
			{
				method: "POST",
				body: z.strictObject({ tenantId }),
				metadata: describe(
					"Start a sign-in at the SAML identity provider of a tenant that creates no user and no session",
					started,
				),
			},
			async (ctx) => {
				const tenant = await manageTenant(ctx, "saml:test");
				const { actor } = tenant;
				const isMember = actor.kind === "member";
				// It shows what the identity provider says about the person at the browser: the one who asks.
				if (!isMember && actor.kind !== "administrator") throw needsPerson();
				if (!(await tenant.read(providerStore(ctx.context).find))) throw notSetUp();
				// The console of operators may be at another host than the tenant, where its cookie is not sent.
				const isBound = isMember || !config.tenantHosts;
				const { testId, link, secret } = await tenant.change(
					() => testStore(ctx.context).start(actor, isBound),
					() => ({}),
				);
				const { name, ...cookie } = testCookieOf(config);
				ctx.setCookie(name, secret, { ...cookie, maxAge: FLOW_SECONDS });
				const { signInUrl } = serviceProviderOf(config, tenant.slug);
				const url = `${signInUrl}?${new URLSearchParams({ test: link })}`;
				const expiresAt = new Date(Date.now() + FLOW_SECONDS * 1000);
				return ctx.json({ testId, url, expiresAt });
			},
		),
		getTenantSamlTestResult: createAuthEndpoint(
			"/tenant/saml/test-result",
			{
				method: "GET",
				query: z.object({
					tenantId,
					testId: z.string().max(64).meta({ description: "The test" }),
				}),
				metadata: describe("Get how a test sign-in ended; only for who started it", read),
			},
			async (ctx) => {
				const tenant = await manageTenant(ctx, "saml:test");
				const { testId } = ctx.query;
				const found = await tenant.read(() => testStore(ctx.context).read(tenant.actor, testId));
				if (!found) throw noSuchTest();
				return ctx.json(found);
			},
		),
	};
}

const needsPerson = () =>
	new APIError("FORBIDDEN", {
		code: "SAML_TEST_NEEDS_PERSON",
		message: "Only a person who is signed in can start a test sign-in, and not a key",
	});

const noSuchTest = () =>
	new APIError("NOT_FOUND", {
		code: "SAML_TEST_NOT_FOUND",
		message: "There is no such test, or it has expired. Start another one",
	});
