import { oauthProvider } from "@better-auth/oauth-provider";
import { sso } from "@better-auth/sso";
import type { BetterAuthPlugin } from "better-auth";
import { jwt } from "better-auth/plugins";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { services } from "../../../../testing/services";
import { type OpenDatabase, openPostgres } from "../support/databases/databases";
import { type Instance, makeInstance } from "../support/worlds/instance";

/** PostgreSQL fails on a NUL in a parameter. The plugins alone do not look up any of these. */
describe.skipIf(!services.postgres)("a NUL in what names a flow or a client, on PostgreSQL", () => {
	let on: OpenDatabase;
	let instance: Instance;
	beforeAll(async () => {
		on = await openPostgres(String(services.postgres));
		const plugins = [
			jwt(),
			sso() as unknown as BetterAuthPlugin,
			oauthProvider({ loginPage: "/login", consentPage: "/consent" }),
		];
		instance = await makeInstance({ on, plugins, disabledPaths: ["/token"] });
	});
	afterAll(() => on?.close());

	const answerTo = (id: string) => btoa(`<samlp:Response InResponseTo="${id}" >`);
	const forms: [string, string, Record<string, string>][] = [
		["RelayState", "acs", { SAMLResponse: answerTo("x"), RelayState: "a\0b" }],
		["InResponseTo", "acs", { SAMLResponse: answerTo("a\0b") }],
		["InResponseTo of a logout", "slo", { SAMLResponse: answerTo("a\0b") }],
	];
	it.each(forms)("%s is no error of the server", async (_, endpoint, fields) => {
		const { status } = await instance.call(`/sso/saml2/sp/${endpoint}/okta`, {
			body: new URLSearchParams(fields).toString(),
			headers: { "content-type": "application/x-www-form-urlencoded" },
		});
		expect([400, 404]).toContain(status);
	});

	it("the client id of an access token is no error of the server", async () => {
		const token = `e30.${btoa('{"client_id":"a\\u0000b"}')}.x`;
		const { status } = await instance.call("/oauth2/userinfo", {
			headers: { authorization: `Bearer ${token}` },
		});
		expect(status).toBe(401);
	});
});
