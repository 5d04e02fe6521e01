import { describe, expect, it } from "vitest";
import { authorityOf, doesTenantControlEmail } from "../src/oauth-clients/provider-settings";

describe("what a tenant's client says of an address", () => {
	it.each([
		["gitlab", { issuer: "https://git.example.com" }],
		["paybin", { issuer: "https://pay.example.com" }],
		["microsoft", null],
		["microsoft", { tenantId: "common" }],
		["microsoft", { authority: "https://login.example.com" }],
		["cognito", { domain: "a.example.com", region: "eu-west-1", userPoolId: "eu-west-1_a" }],
		["salesforce", { loginUrl: "a.my.salesforce.com" }],
		["salesforce", { environment: "sandbox" }],
		["paypal", null],
		["paypal", { environment: "sandbox" }],
	])("is the tenant's own word: %s %j", (providerId, settings) => {
		expect(doesTenantControlEmail(providerId, settings)).toBe(true);
	});

	it.each([
		["google", { hd: "example.com" }],
		["github", null],
		["apple", null],
		["gitlab", null],
		["salesforce", null],
		["paypal", { environment: "live" }],
	])("is the provider's word: %s %j", (providerId, settings) => {
		expect(doesTenantControlEmail(providerId, settings)).toBe(false);
	});
});

describe("who gives out a provider's account ids", () => {
	it.each([
		["gitlab", null, ""],
		["gitlab", { issuer: "https://Git.example.com/" }, "issuer=https://git.example.com"],
		["microsoft", { tenantId: "one-directory" }, ""],
		["paypal", { environment: "live" }, ""],
		["paypal", null, "environment=sandbox"],
		["salesforce", { environment: "production" }, ""],
	])("%s %j: %j", (providerId, settings, authority) => {
		expect(authorityOf(providerId, settings)).toBe(authority);
	});
});
