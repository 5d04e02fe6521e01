import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import {
	makeSamlIdentityProvider,
	type SamlIdentityProvider,
} from "../../../../packages/tenant-auth/test/support/providers/saml-identity-provider";
import { notEmpty } from "../../../../testing/not-empty";
import { useService } from "../running-service";
import { metadataServer } from "./metadata-server";
import { samlTenant } from "./saml-tenant";

const service = useService({ SAML: "true", ALLOW_PRIVATE_PROVIDER_HOSTS: "true" });
const strict = useService({ SAML: "true" });

let idp: SamlIdentityProvider;

beforeAll(async () => {
	idp = await makeSamlIdentityProvider("idp");
});

type Step = { name: string; state: string; message: string };

/** A tenant whose identity provider runs here, with its metadata and its sign-in page. */
async function connected() {
	const acme = await samlTenant(await service());
	await acme.verifyDomain();
	const idpServer = await metadataServer("");
	const metadata = idp.config.idpMetadata.metadata.replaceAll(
		"https://idp.example.com/sso",
		`${idpServer.origin}/sso`,
	);
	idpServer.publish(metadata);
	const saved = await acme.manage("/tenant/saml/set", { metadataUrl: idpServer.url });
	expect(saved.status).toBe(200);
	const run = async () => {
		const { body } = await acme.manage("/tenant/saml/test");
		const steps = (body.steps as Step[]).map((step) => [step.name, step] as const);
		return { ok: body.ok as boolean, steps: Object.fromEntries(steps), all: body.steps as Step[] };
	};
	return { ...acme, idpServer, metadata, run };
}

test("an identity provider that works passes all steps", async () => {
	const acme = await connected();
	const { ok, all } = await acme.run();
	expect(all.map(({ name, state }) => [name, state])).toEqual([
		["metadata", "passed"],
		["certificate", "passed"],
		["algorithm", "passed"],
		["own-urls", "passed"],
		["domain", "passed"],
		["sign-in-url", "passed"],
		["clock", "passed"],
	]);
	expect(ok).toBe(true);
	expect(all[1]?.message).toMatch(/^The certificate is valid for \d{2,} more days$/);
	const audit: { action: string }[] = await acme.get("/tenant/audit/list");
	expect(audit.map(({ action }) => action)).not.toContain("saml:test");
});

describe("a step fails or warns", () => {
	test("if the URL has a new certificate, another identity provider, or nothing", async () => {
		const acme = await connected();
		const next = await makeSamlIdentityProvider("idp");
		const other = await makeSamlIdentityProvider("other");
		const states: string[] = [];
		for (const text of notEmpty([
			next.config.idpMetadata.metadata,
			other.config.idpMetadata.metadata,
			"internal secret",
		])) {
			acme.idpServer.publish(text);
			const { ok, steps } = await acme.run();
			states.push(`${ok} ${steps.metadata?.state}`);
			expect(steps.metadata?.message).not.toContain("secret");
		}
		expect(states).toEqual(["true unknown", "false failed", "false failed"]);
		// A test changes nothing.
		const { identityProvider } = await acme.get("/tenant/saml/get");
		expect(identityProvider).toMatchObject({ entityId: idp.entityID, load: { problem: null } });
	});

	test("if the certificate ends soon, has ended, or is not valid yet", async () => {
		const acme = await connected();
		const { identityProvider } = await acme.get("/tenant/saml/get");
		const end = Date.parse(identityProvider.certificates[0].expiresAt);
		const day = 24 * 60 * 60_000;
		onTestFinished(() => void vi.useRealTimers());
		const at = async (now: number) => {
			vi.useFakeTimers({ toFake: ["Date"], now });
			return (await acme.run()).steps.certificate;
		};
		expect(await at(end - 1.5 * day)).toEqual({
			name: "certificate",
			state: "unknown",
			message: "The certificate is valid for 1 more day. Replace it soon",
		});
		expect(await at(end + day)).toMatchObject({ state: "failed" });
		expect(await at(end - 5000 * day)).toMatchObject({ state: "failed" });
	});

	test("if the clocks differ", async () => {
		const acme = await connected();
		acme.idpServer.publish((response) => {
			response.setHeader("date", new Date(Date.now() - 5 * 60_000).toUTCString());
			response.end(acme.metadata);
		});
		const { ok, steps } = await acme.run();
		expect([ok, steps.clock?.state]).toEqual([false, "failed"]);
		expect(steps.clock?.message).toMatch(/^The clocks differ by (299|30[0-2]) seconds\./);
	});

	test("if the tenant has no domain any more, or another slug", async () => {
		const acme = await connected();
		await acme.loseDomains();
		await acme.manage("/tenant/update", { slug: `${acme.slug}-new` });
		const { ok, steps } = await acme.run();
		expect([ok, steps.domain?.state, steps["own-urls"]?.state]).toEqual([
			false,
			"failed",
			"failed",
		]);
		expect(steps["own-urls"]?.message).toContain(`/t/${acme.slug}-new/saml/metadata`);
	});
});

test("a host that is not public gets no request, and the step does not say why", async () => {
	const acme = await samlTenant(await strict());
	await acme.verifyDomain();
	const { origin, requests } = await metadataServer("internal secret");
	const https = origin.replace("http:", "https:");
	const metadata = idp.config.idpMetadata.metadata.replaceAll(
		"https://idp.example.com/sso",
		`${https}/sso`,
	);
	expect((await acme.manage("/tenant/saml/set", { metadata })).status).toBe(200);
	const { body } = await acme.manage("/tenant/saml/test");
	expect(body.steps).toContainEqual({
		name: "sign-in-url",
		state: "unknown",
		message: "This server cannot open the sign-in URL. Browsers of the company may open it",
	});
	expect(requests).toEqual([]);
});

test("only those who may test it can", async () => {
	const acme = await connected();
	const globex = await samlTenant(await service(), { name: "globex" });
	const member = await acme.signUpAs("member", "member@elsewhere.com");
	const admin = await acme.signUpAs("admin", "admin@elsewhere.com");
	const foreign = await globex.signUpAs("owner", "owner@elsewhere.com");
	const test = async ({ headers }: typeof member) =>
		(await acme.manage("/tenant/saml/test", {}, headers)).status;
	expect([await test(member), await test(foreign), await test(admin)]).toEqual([403, 403, 200]);
	expect((await globex.manage("/tenant/saml/test")).body.code).toBe("SAML_NOT_SET_UP");
});
