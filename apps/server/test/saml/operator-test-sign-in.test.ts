import { expect, test } from "vitest";
import { makeSamlIdentityProvider } from "../../../../packages/tenant-auth/test/support/providers/saml-identity-provider";
import { newOperator } from "../operator-accounts";
import { cookiesOf, runningService } from "../running-service";
import { samlTenant } from "./saml-tenant";

/** An operator starts a test sign-in of a tenant. */
async function startedTest(environment: Record<string, string> = {}) {
	const running = await runningService({ SAML: "true", ...environment });
	const idp = await makeSamlIdentityProvider("idp");
	const acme = await samlTenant(running);
	await acme.verifyDomain();
	await acme.manage("/tenant/saml/set", { metadata: idp.config.idpMetadata.metadata });
	const operator = await newOperator(running, "operator");
	const { tenantId } = acme;
	const started = await running.post("/tenant/saml/start-test", { tenantId }, operator.headers);
	expect(started.status).toBe(200);
	const { testId, url } = (await started.json()) as { testId: string; url: string };
	const open = async (cookie: string) => {
		const response = await running.call(url, { headers: { cookie } });
		return { url: response.headers.get("location") ?? "", cookie: cookiesOf(response) };
	};
	const result = async (headers: Record<string, string>) => {
		const query = new URLSearchParams({ tenantId, testId });
		const response = await running.call(`/api/auth/tenant/saml/test-result?${query}`, { headers });
		return (await response.json()) as { code?: string; result?: object | null };
	};
	return { running, idp, acme, operator, url, cookie: cookiesOf(started), open, result };
}

test("the link of an operator works in the operator's browser, and only they see the result", async () => {
	const { running, idp, acme, operator, cookie, open, result } = await startedTest();
	const flow = await open(cookie);
	await acme.finish(await idp.answer(flow.url, `ada@${acme.domain}`), flow.cookie);
	expect(await acme.users()).toEqual([]);
	expect(await result(operator.headers)).toMatchObject({ result: { ok: true } });
	const colleague = await newOperator(running, "operator", "colleague@example.com");
	expect((await result(colleague.headers)).code).toBe("SAML_TEST_NOT_FOUND");
});

test("without the cookie of the console, the link of an operator does not work", async () => {
	const { open, operator, result } = await startedTest();
	expect((await open("")).url).toContain("error=invalid_state");
	expect(await result(operator.headers)).toEqual({ result: null });
});

test("with TENANT_DOMAIN, the console has another host, so the link works once without its cookie", async () => {
	const { url, open } = await startedTest({
		BETTER_AUTH_URL: "https://auth.example.com",
		TENANT_DOMAIN: "example.com",
		REQUIRE_OPERATOR_SECOND_FACTOR: "false",
	});
	expect(new URL(url).host).toMatch(/^acme-\d+\.example\.com$/);
	expect(new URL((await open("")).url).origin).toBe("https://idp.example.com");
	expect((await open("")).url).toContain("error=invalid_state");
});
