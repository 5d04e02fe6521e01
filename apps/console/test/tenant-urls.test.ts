import { describe, expect, test } from "vitest";
import { tenantUrls } from "../src/operator/current-tenant/tenant-urls";
import { callbackDetails } from "../src/operator/providers/provider-details";

const baseUrl = "https://auth.example.com:8443";
const callbackURL = `${baseUrl}/api/auth/tenant/callback/gitlab`;

const callbacksOf = (tenantDomain: string | null, redirectURI?: string) =>
	callbackDetails(
		{ callbackURL: redirectURI ?? callbackURL },
		tenantUrls("acme", { baseUrl, tenantDomain }),
		redirectURI,
	).map(({ title, copy }) => `${title}: ${copy}`);

describe("the URLs of a tenant", () => {
	test("are on the host of the service", () => {
		expect(tenantUrls("acme", { baseUrl, tenantDomain: null })).toMatchObject({
			signIn: `${baseUrl}/t/acme`,
			issuer: `${baseUrl}/t/acme`,
		});
		expect(callbacksOf(null)).toEqual([`Callback URL: ${callbackURL}`]);
	});

	test("are on its own host if tenants have a domain", () => {
		expect(tenantUrls("acme", { baseUrl, tenantDomain: "example.com" })).toMatchObject({
			signIn: "https://acme.example.com:8443/",
			issuer: "https://acme.example.com:8443",
		});
		expect(callbacksOf("example.com")).toEqual([
			"Callback URL: https://acme.example.com:8443/api/auth/tenant/callback/gitlab",
			`For apps that call auth.example.com:8443: ${callbackURL}`,
		]);
	});

	test("do not change the callback URL of an OAuth client with a redirect URI", () => {
		const proxied = "https://proxy.example.com/back";
		expect(callbacksOf("example.com", proxied)).toEqual([`Callback URL: ${proxied}`]);
	});
});
