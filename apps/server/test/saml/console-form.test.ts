import { expect, test } from "vitest";
import {
	makeSamlIdentityProvider,
	type SamlIdentityProvider,
} from "../../../../packages/tenant-auth/test/support/providers/saml-identity-provider";
import { findSamlProblems, toSamlInput } from "../../../console/src/operator/saml/saml-form";
import { asManager, useService } from "../running-service";
import { samlTenant } from "./saml-tenant";

const service = useService({ SAML: "true" });

const certificateOf = ({ config }: SamlIdentityProvider) =>
	/X509Certificate>([^<]+)</.exec(config.idpMetadata.metadata)?.[1] ?? "";

const pem = (one: SamlIdentityProvider) =>
	`-----BEGIN CERTIFICATE-----\r\n${certificateOf(one)}\r\n-----END CERTIFICATE-----\r\n`;

/** Saves what somebody enters into the form of the console, instead of the metadata. */
async function connected(entityId: string, certificate: string) {
	const acme = await samlTenant(await service());
	await acme.verifyDomain();
	const values = {
		...{ source: "fields" as const, metadata: "", metadataUrl: "" },
		...{ emailAttribute: "", nameAttribute: "" },
		...{ groupAttribute: "groups", roles: "App Admins = admin" },
		...{ entityId, certificate, signInUrl: `https://idp.example.com/sso?a=1&b='2'` },
	};
	expect(findSamlProblems(values)).toEqual({ certificate: undefined, roles: undefined });
	return { ...acme, saved: await acme.manage("/tenant/saml/set", toSamlInput(values)) };
}

test("people sign in with either certificate that the form of the console has", async () => {
	const [idp, next] = await Promise.all([
		makeSamlIdentityProvider("idp"),
		makeSamlIdentityProvider("idp"),
	]);
	const acme = await connected(idp.entityID, pem(idp) + pem(next));
	expect(acme.saved).toMatchObject({
		status: 200,
		body: { identityProvider: { certificates: [{}, {}] } },
	});
	const email = `ada@${acme.domain}`;
	const users = [];
	for (const one of [idp, next]) {
		const { url, cookie } = await acme.start();
		users.push((await acme.finish(await one.answer(url, email), cookie)).user?.email);
	}
	expect(users).toEqual([email, email]);
});

test("the service gets the values of the form as they were entered", async () => {
	const idp = await makeSamlIdentityProvider("idp");
	const { saved } = await connected("https://idp.example.com/?a=1&b=<2>", certificateOf(idp));
	expect(saved.body.identityProvider).toMatchObject({
		entityId: "https://idp.example.com/?a=1&b=<2>",
		signInUrl: "https://idp.example.com/sso?a=1&b=%272%27",
		certificates: [{}],
		attributes: { role: "groups" },
		roles: { "App Admins": "admin" },
	});
});

test("the pages know whether the service has SAML", async () => {
	const { call } = await service();
	const info = await call("/service/info", { headers: asManager });
	expect(await info.json()).toMatchObject({ saml: true });
});
