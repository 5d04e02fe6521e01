import { settingsOfProvider } from "better-auth-tenant/providers";
import { describe, expect, test } from "vitest";
import {
	fromSettingValues,
	hintOf,
	toSettingValues,
} from "../src/operator/providers/provider-settings";

describe("the settings of a provider", () => {
	test.each([
		["cognito", { domain: "acme.example", requireClientSecret: true, prompt: "login" }],
		["apple", { audience: ["com.acme.app", "com.acme.web"] }],
		["gitlab", { issuer: "https://gitlab.acme.example" }],
		["microsoft", { tenantId: "organizations", profilePhotoSize: 96 }],
	])("of %s do not change when they are put into a form and read back", (providerId, options) => {
		expect(fromSettingValues(providerId, toSettingValues(options))).toEqual(options);
	});

	test("are lists of words in a form, and empty ones are left out", () => {
		expect(fromSettingValues("facebook", { fields: "id  name", configId: " " })).toEqual({
			fields: ["id", "name"],
		});
	});

	test("have hints that say how to write a list, and the default", () => {
		const hints = (providerId: string) => settingsOfProvider(providerId).map(hintOf);
		expect(hints("twitch")).toEqual([
			"The claims to request, for example email. Separate values with spaces.",
		]);
		expect(hints("microsoft")[0]).toContain("consumers. Default: common.");
		expect(hints("github")).toEqual([""]);
	});
});
