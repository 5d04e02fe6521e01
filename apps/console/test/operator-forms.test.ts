import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { requireValidSettings } from "../../../packages/tenant-auth/src/oauth-clients/provider-settings";
import { requireUsableSlug } from "../../../packages/tenant-auth/src/tenants/slug";
import { fromTexts, optionFieldsOf, toTexts } from "../src/operator/providers/provider-options";
import { brandingOf, findBrandingProblems, withBranding } from "../src/operator/tenants/branding";
import { formatMetadata, parseMetadata } from "../src/operator/tenants/metadata-text";
import { findSlugProblem, suggestSlug } from "../src/operator/tenants/slug-rules";
import { providers } from "../src/providers";

const isAccepted = (slug: string) => {
	try {
		requireUsableSlug(slug, []);
		return true;
	} catch {
		return false;
	}
};

describe("a slug", () => {
	test("is judged in the form as in the service", () => {
		const character = fc.constantFrom(..."aZ09-_. é");
		const words = fc.constantFrom("admin", "api", "www", "acme", "sign-in", "tenants", "t");
		fc.assert(
			fc.property(
				fc.oneof(fc.string({ unit: character, maxLength: 66 }), words),
				(slug) => (findSlugProblem(slug) === null) === isAccepted(slug),
			),
			{ numRuns: 500 },
		);
	});

	test("is suggested from a name", () => {
		expect(suggestSlug("Café Zoë & Sons")).toBe("cafe-zoe-sons");
		expect(suggestSlug("  ¡Hola!  ")).toBe("hola");
		expect(findSlugProblem(suggestSlug(`${"x".repeat(62)} y z`))).toBeNull();
	});
});

describe("metadata", () => {
	test.each([
		['{\n  "a": 1,\n  b: 2\n}', 3, 3],
		['{\n  "a": 1\n  "b": 2\n}', 3, 3],
		['{ "a": ', 1, 8],
		["[1, 2]", 1, 1],
	])("in %j is wrong on a line", (text, line, column) => {
		expect(parseMetadata(text).problem).toMatchObject({ line, column });
	});

	test("that is too much is refused, and the rest comes back as it was", () => {
		const large = { text: "é".repeat(9000) };
		expect(parseMetadata(JSON.stringify(large)).problem?.message).toContain("16 KB");
		const metadata = { since: "2026-01-01T00:00:00Z", deep: { list: [1, null] } };
		expect(parseMetadata(formatMetadata(metadata)).metadata).toEqual(metadata);
	});
});

describe("branding", () => {
	test("is written into the metadata beside what else is there", () => {
		const metadata = { plan: "business", branding: { tagline: "Old", font: "Inter" } };
		const branding = { ...brandingOf(metadata), tagline: "", primaryColor: " #C2410C " };
		expect(withBranding(metadata, branding)).toEqual({
			plan: "business",
			branding: { font: "Inter", primaryColor: "#C2410C" },
		});
		expect(withBranding({ branding: { tagline: "Old" } }, brandingOf(null))).toEqual({});
	});

	test("with a mistake is told at its field", () => {
		const wrong = { logoUrl: "http://x", primaryColor: "red", tagline: "", supportEmail: "me" };
		expect(Object.keys(findBrandingProblems(wrong))).toEqual([
			"logoUrl",
			"primaryColor",
			"supportEmail",
		]);
	});
});

describe("a provider's own settings", () => {
	test.each(Object.keys(providers))("of %s are known to the service", (providerId) => {
		const given = Object.fromEntries(optionFieldsOf(providerId).map(({ name }) => [name, {}]));
		let problems = "";
		try {
			requireValidSettings(providerId, given, true);
		} catch (error) {
			problems = (error as Error).message;
		}
		expect(problems).not.toContain("is not a setting of");
		expect(problems).not.toContain("is required for");
	});

	test("come back from the form as they were", () => {
		const options = { domain: "acme.example", requireClientSecret: true, prompt: "login" };
		expect(fromTexts("cognito", toTexts(options))).toEqual(options);
		expect(fromTexts("facebook", { fields: "id  name", configId: " " })).toEqual({
			fields: ["id", "name"],
		});
	});
});
