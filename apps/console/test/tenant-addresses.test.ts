import { describe, expect, test } from "vitest";
import { callbackFacts } from "../src/operator/providers/callback-facts";
import { addressesOf } from "../src/operator/tenant/tenant-addresses";

const baseUrl = "https://auth.example.com:8443";
const callbackURL = `${baseUrl}/api/auth/tenant/callback/gitlab`;

const callbacksOf = (tenantDomain: string | null, redirectURI?: string) =>
	callbackFacts(
		{ callbackURL: redirectURI ?? callbackURL },
		addressesOf("acme", { baseUrl, tenantDomain }),
		redirectURI,
	).map(({ title, copy }) => `${title}: ${copy}`);

describe("a tenant's addresses", () => {
	test("are below the service's own", () => {
		expect(addressesOf("acme", { baseUrl, tenantDomain: null }).signIn).toBe(`${baseUrl}/t/acme`);
		expect(callbacksOf(null)).toEqual([`Callback URL: ${callbackURL}`]);
	});

	test("are on its own host, where tenants have a domain", () => {
		expect(addressesOf("acme", { baseUrl, tenantDomain: "example.com" }).signIn).toBe(
			"https://acme.example.com:8443/",
		);
		expect(callbacksOf("example.com")).toEqual([
			"Callback URL: https://acme.example.com:8443/api/auth/tenant/callback/gitlab",
			`For apps that call auth.example.com:8443: ${callbackURL}`,
		]);
	});

	test("do not matter to a client with a redirect URI", () => {
		const proxied = "https://proxy.example.com/back";
		expect(callbacksOf("example.com", proxied)).toEqual([`Callback URL: ${proxied}`]);
	});
});
