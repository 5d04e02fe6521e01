import { findSlugProblem } from "better-auth-tenant/rules";
import { describe, expect, test } from "vitest";
import {
	findBrandingProblems,
	toBrandingValues,
	withBranding,
} from "../src/operator/branding/branding-values";
import { formatMetadata, parseMetadata, suggestSlug } from "../src/operator/tenants/tenant-form";

describe("a slug", () => {
	test("is suggested from a name", () => {
		expect(suggestSlug("Café Zoë & Sons")).toBe("cafe-zoe-sons");
		expect(suggestSlug("  ¡Hola!  ")).toBe("hola");
		expect(suggestSlug("A ß Ø")).toBe("a-ss-o");
		expect(findSlugProblem(suggestSlug(`${"x".repeat(62)} y z`))).toBeNull();
	});
});

describe("metadata", () => {
	test.each([
		['{\n  "a": 1,\n  b: 2\n}', 3, 3],
		['{\n  "a": 1\n  "b": 2\n}', 3, 3],
		['{ "a": ', 1, 8],
		["[1, 2]", 1, 1],
	])("%j has a problem with line and column", (text, line, column) => {
		expect(parseMetadata(text).problem).toMatchObject({ line, column });
	});

	test("is rejected if it is too large", () => {
		const large = { text: "é".repeat(9000) };
		expect(parseMetadata(JSON.stringify(large)).problem?.message).toContain("16 KB");
	});

	test("does not change when it is formatted and parsed", () => {
		const metadata = { since: "2026-01-01T00:00:00Z", deep: { list: [1, null] } };
		expect(parseMetadata(formatMetadata(metadata)).metadata).toEqual(metadata);
	});
});

describe("branding", () => {
	test("is stored in the metadata and keeps everything else there", () => {
		const metadata = { plan: "business", branding: { tagline: "Old", font: "Inter" } };
		const branding = { ...toBrandingValues(metadata), tagline: "", primaryColor: " #C2410C " };
		expect(withBranding(metadata, branding)).toEqual({
			plan: "business",
			branding: { font: "Inter", primaryColor: "#C2410C" },
		});
		expect(withBranding({ branding: { tagline: "Old" } }, toBrandingValues(null))).toEqual({});
	});

	test("has a problem for each invalid field", () => {
		const wrong = {
			logoUrl: "http://x",
			darkLogoUrl: "http://x",
			faviconUrl: "/favicon.ico",
			primaryColor: "red",
			tagline: "x".repeat(201),
			supportEmail: "me",
			termsUrl: "acme.example/terms",
			privacyUrl: "javascript:alert(1)",
		};
		expect(Object.keys(findBrandingProblems(wrong))).toEqual(Object.keys(wrong));
		const right = {
			logoUrl: "https://acme.example/logo.svg",
			darkLogoUrl: "https://acme.example/dark.svg",
			faviconUrl: "https://acme.example/icon.png",
			primaryColor: " #C2410C ",
			tagline: "",
			supportEmail: "help@acme.example",
			termsUrl: "https://acme.example/terms",
			privacyUrl: "",
		};
		expect(findBrandingProblems(right)).toEqual({});
	});
});
