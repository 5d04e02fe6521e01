import { describe, expect, it } from "vitest";
import {
	accountIssuerOf,
	tenantControlsEmail,
} from "../../src/management/oauth-clients/provider-settings";

describe("the email from a tenant's client", () => {
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
	])("is controlled by the tenant: %s %j", (providerId, settings) => {
		expect(tenantControlsEmail(providerId, settings)).toBe(true);
	});

	it.each([
		["google", { hd: "example.com" }],
		["github", null],
		["apple", null],
		["gitlab", null],
		["salesforce", null],
		["paypal", { environment: "live" }],
	])("is controlled by the provider: %s %j", (providerId, settings) => {
		expect(tenantControlsEmail(providerId, settings)).toBe(false);
	});
});

describe("the account issuer", () => {
	it.each([
		["gitlab", null, ""],
		["gitlab", { issuer: "https://Git.example.com/" }, "issuer=https://git.example.com"],
		["microsoft", { tenantId: "one-directory" }, ""],
		["paypal", { environment: "live" }, ""],
		["paypal", null, "environment=sandbox"],
		["salesforce", { environment: "production" }, ""],
	])("%s %j: %j", (providerId, settings, issuer) => {
		expect(accountIssuerOf(providerId, settings)).toBe(issuer);
	});
});
