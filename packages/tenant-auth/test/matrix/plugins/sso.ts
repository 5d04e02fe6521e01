import { sso } from "@better-auth/sso";
import type { BetterAuthPlugin } from "better-auth";
import { expect } from "vitest";
import { startDnsServer } from "../../support/providers/dns-server";
import { listen } from "../../support/providers/identity-provider/listen";
import {
	makeSamlIdentityProvider,
	type SamlIdentityProvider,
} from "../../support/providers/saml-identity-provider";
import { type Answer, ORIGIN } from "../../support/worlds/instance";
import { answers, failed, type Outcome, type PluginMatrix, refused } from "./matrix";

interface Providers {
	/** Of a provider that the other side does not have. Its domain is not verified yet. */
	ownId: string;
	/** Of an OIDC sign-in that is under way in the side's own browser. */
	state: string;
	/** Signs a person in, without a request of the app. */
	assertion: string;
	/** Signs that person out. */
	logout: string;
}

const ACS = "/sso/saml2/sp/acs/okta";
const SLO = "/sso/saml2/sp/slo/okta";
const app = (name: string) => ({
	audience: `https://${name}.example.com`,
	acs: `${ORIGIN}/api/auth${ACS}`,
	slo: `${ORIGIN}/api/auth${SLO}`,
});

const notFound = refused(404);
const signsIn: Outcome = ({ status, headers, cookie }) => {
	expect([status, headers.get("location")]).toEqual([302, "/home"]);
	expect(cookie).toContain("session_token=");
};
const leadsTo =
	(text: string): Outcome =>
	({ body, status }) =>
		expect([status, body.url]).toEqual([200, expect.stringContaining(text)]);
const status =
	(wanted: number): Outcome =>
	({ status, body }) =>
		expect(status, JSON.stringify(body)).toBe(wanted);
const lists =
	(name: "a" | "b"): Outcome<Providers> =>
	({ body }, world) => {
		const ids = body.providers.map(({ providerId }: { providerId: string }) => providerId);
		expect(ids.sort()).toEqual(["forge", "okta", world[name].ownId].sort());
	};
// A's own browser may finish A's flow, whatever tenant a header names.
const notInBrowserOfA = [
	"with its own session" as const,
	"with its own session and its own name" as const,
	"with no session and its own name" as const,
];

/** Both sides have an OIDC provider `forge` and a SAML provider `okta`, at the same identity providers. */
export function makeSsoMatrix(): PluginMatrix<Providers> {
	let idp: SamlIdentityProvider;
	let service = "";
	return {
		plugin: "@better-auth/sso",
		async options({ onEnd }) {
			idp = await makeSamlIdentityProvider("idp");
			onEnd((await startDnsServer()).close);
			const { port, close } = await listen(({ url }, response) => {
				response.setHeader("content-type", "application/json");
				const tokens = { access_token: "access", token_type: "Bearer", expires_in: 3600 };
				const person = { sub: "person", email: "oidc@example.com", name: "Person" };
				response.end(JSON.stringify(url?.startsWith("/token") ? tokens : person));
			});
			onEnd(close);
			service = `http://127.0.0.1:${port}`;
			const plugin = sso({
				domainVerification: { enabled: true },
				saml: { enableSingleLogout: true, allowIdpInitiated: true },
			});
			return {
				trustedOrigins: [service],
				plugins: [plugin as unknown as BetterAuthPlugin],
				// With a secondary storage, SAML needs it.
				verification: { storeInDatabase: true },
			};
		},
		async make({ as, to, db }, { name, cookie }) {
			const ownId = `provider-of-${name}`;
			const register = (provider: object) =>
				as("/sso/register", {
					body: { issuer: `https://${name}.example.com`, domain: "acme.com", ...provider },
				});
			await register({
				providerId: "forge",
				domain: "forge.com",
				oidcConfig: {
					clientId: `client-of-${name}`,
					clientSecret: `secret-of-${name}`,
					skipDiscovery: true,
					authorizationEndpoint: `${service}/authorize`,
					tokenEndpoint: `${service}/token`,
					userInfoEndpoint: `${service}/user`,
					jwksEndpoint: `${service}/keys`,
				},
			});
			const samlConfig = { ...idp.config, callbackUrl: "/home" };
			await register({ providerId: "okta", samlConfig });
			await db
				.updateTable("ssoProvider")
				.set({ domainVerified: 1 })
				.where("providerId", "not like", "%provider-of%")
				.execute();
			await register({ providerId: ownId, samlConfig });
			const assert = async () => (await idp.start(app(name), "saml@example.com")).SAMLResponse;
			await to(ACS, { body: { SAMLResponse: await assert() } });
			const pending = await to("/sign-in/sso", {
				body: { providerId: "forge", callbackURL: "/home", errorCallbackURL: "/failed" },
			});
			return {
				ownId,
				state: stateOf(pending),
				cookie: `${cookie}; ${pending.cookie}`,
				assertion: await assert(),
				logout: idp.requestLogout(app(name), "saml@example.com", "post"),
			};
		},
		rows: {
			spMetadata: [
				{
					tries: "reads that of a provider whose id A has too",
					call: () => ({ path: "/sso/saml2/sp/metadata", query: { providerId: "okta" } }),
					by: "anyone",
					gets: ({ body }) => expect(body).toContain("https://b.example.com"),
					own: ({ body }) => expect(body).toContain("https://a.example.com"),
				},
			],
			registerSSOProvider: [
				{
					tries: "registers a provider with the id of A's",
					call: ({ a }) => ({
						path: "/sso/register",
						body: {
							providerId: a.ownId,
							issuer: "https://b.example.com",
							domain: "acme.com",
							samlConfig: idp.config,
						},
					}),
					by: "user",
					gets: answers(() => expect.objectContaining({ providerId: "provider-of-a" })),
					own: refused(422),
					knows: ({ a }) => [a.ownId, `_better-auth-token-${a.ownId}`],
				},
			],
			signInSSO: [
				{
					tries: "starts with a provider whose id A has too",
					call: () => ({
						path: "/sign-in/sso",
						body: { providerId: "forge", callbackURL: "/home" },
					}),
					by: "anyone",
					gets: leadsTo("client-of-b"),
					own: leadsTo("client-of-a"),
				},
				{
					tries: "starts by a domain that A has too",
					call: () => ({
						path: "/sign-in/sso",
						body: { domain: "forge.com", callbackURL: "/home" },
					}),
					by: "anyone",
					gets: leadsTo("client-of-b"),
					own: leadsTo("client-of-a"),
				},
				{
					tries: "starts with a provider of A alone",
					call: ({ a }) => ({
						path: "/sign-in/sso",
						body: { providerId: a.ownId, callbackURL: "/home" },
					}),
					by: "anyone",
					gets: notFound,
					// Its domain is not verified.
					own: refused(401),
				},
			],
			callbackSSO: [
				{
					tries: "finishes A's flow",
					call: ({ a }) => ({
						path: "/sso/callback/forge",
						query: { code: "code", state: a.state },
					}),
					by: "anyone",
					ways: notInBrowserOfA,
					gets: failed("state"),
					own: signsIn,
				},
			],
			callbackSSOShared: [
				{
					tries: "finishes A's flow",
					call: ({ a }) => ({ path: "/sso/callback", query: { code: "code", state: a.state } }),
					by: "anyone",
					ways: notInBrowserOfA,
					gets: failed("state"),
					own: signsIn,
				},
			],
			acsEndpoint: [
				{
					tries: "posts an assertion for A",
					call: ({ a }) => ({ path: ACS, body: { SAMLResponse: a.assertion } }),
					by: "holder",
					gets: failed("audience"),
					own: signsIn,
				},
			],
			sloEndpoint: [
				{
					tries: "posts a logout of the person whom A knows too",
					call: ({ a }) => ({ path: SLO, body: { SAMLRequest: a.logout } }),
					by: "anyone",
					gets: status(200),
					own: status(200),
				},
			],
			initiateSLO: [
				{
					tries: "signs out at the provider of A",
					call: ({ a }) => ({ path: `/sso/saml2/logout/${a.ownId}`, body: {} }),
					by: "user",
					gets: refused(404, "SAML_PROVIDER_NOT_FOUND"),
					own: status(302),
				},
			],
			listSSOProviders: [
				{
					tries: "lists, with A's user beside it",
					call: ({ a }) => ({ path: "/sso/providers", query: { userId: a.userId } }),
					by: "user",
					gets: lists("b"),
					own: lists("a"),
				},
			],
			getSSOProvider: [
				{
					tries: "reads A's",
					call: ({ a }) => ({ path: "/sso/get-provider", query: { providerId: a.ownId } }),
					by: "user",
					gets: notFound,
					own: answers(() => expect.objectContaining({ providerId: "provider-of-a" })),
				},
			],
			updateSSOProvider: [
				{
					tries: "changes A's",
					call: ({ a }) => ({
						path: "/sso/update-provider",
						body: { providerId: a.ownId, domain: "taken.com" },
					}),
					by: "user",
					gets: notFound,
					own: answers(() => expect.objectContaining({ domain: "taken.com" })),
				},
			],
			deleteSSOProvider: [
				{
					tries: "deletes A's",
					call: ({ a }) => ({ path: "/sso/delete-provider", body: { providerId: a.ownId } }),
					by: "user",
					gets: notFound,
					own: answers(() => ({ success: true })),
				},
			],
			requestDomainVerification: [
				{
					tries: "asks for the token of A's",
					call: ({ a }) => ({
						path: "/sso/request-domain-verification",
						body: { providerId: a.ownId },
					}),
					by: "user",
					gets: notFound,
					own: ({ body }) => expect(body).toEqual({ domainVerificationToken: expect.any(String) }),
				},
			],
			verifyDomain: [
				{
					tries: "verifies A's",
					call: ({ a }) => ({ path: "/sso/verify-domain", body: { providerId: a.ownId } }),
					by: "user",
					gets: notFound,
					// There is no DNS record.
					own: refused(502, "DOMAIN_VERIFICATION_FAILED"),
				},
			],
		},
	};
}

const stateOf = ({ body }: Answer) => String(new URL(body.url).searchParams.get("state"));
