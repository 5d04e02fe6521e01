import { type BrandingField, findBrandingProblem, findSlugProblem } from "better-auth-tenant/rules";
import { describe, expect, it } from "vitest";

describe("a problem with a slug", () => {
	it.each([
		["a", "INVALID_SLUG", "A slug has at least 2 characters."],
		["a".repeat(64), "INVALID_SLUG", "A slug has at most 63 characters."],
		["Acme", "INVALID_SLUG", "A slug has no capital letters."],
		["-acme", "INVALID_SLUG", "A slug does not begin or end with a hyphen."],
		["acme.", "INVALID_SLUG", "A slug has lowercase letters, digits and hyphens only."],
		["partners", "SLUG_RESERVED", "This slug is reserved."],
	])("of %s is explained, with the code of the server", (slug, code, message) => {
		expect(findSlugProblem(slug, ["partners"])).toEqual({ code, message });
	});

	it("is that the built-in list reserves it, unless the app has a list", () => {
		expect(findSlugProblem("admin")?.code).toBe("SLUG_RESERVED");
	});

	it("is null for a good one", () => {
		expect(findSlugProblem("acme-2")).toBeNull();
		expect(findSlugProblem("admin", ["partners"])).toBeNull();
	});
});

describe("a problem with branding", () => {
	const link = ["https://acme.example/terms?lang=en#top", "http://127.0.0.1:3000/terms"];
	const notALink = [
		"http://acme.example",
		"javascript:alert(1)",
		"data:text/html,x",
		"//x",
		"",
		{},
	];
	const tooLong = `https://acme.example/${"x".repeat(2048)}`;
	const valid: Record<BrandingField, string[]> = {
		logoUrl: [
			"https://acme.example/logo.svg",
			" https://acme.example ",
			"http://localhost:3000/logo.png",
			"http://[::1]/logo.png",
		],
		primaryColor: ["#0a7c5b", "#FFFFFF"],
		tagline: ["Widgets for everybody", "x".repeat(200)],
		supportEmail: ["help@acme.example"],
		darkLogoUrl: link,
		faviconUrl: link,
		termsUrl: link,
		privacyUrl: link,
	};
	const invalid: Record<BrandingField, unknown[]> = {
		logoUrl: [
			"http://acme.example",
			"http://localhost.acme.example/logo.png",
			"http://localhost@acme.example/logo.png",
			"javascript:alert(1)",
			"https://",
			"https:x y",
			"/logo",
			1,
		],
		primaryColor: ["red", "#fff", "#0a7c5b;", null],
		tagline: ["", "  ", "x".repeat(201), ["text"]],
		supportEmail: ["help", "help@acme", "a b@acme.example", `${"x".repeat(250)}@acme.example`],
		darkLogoUrl: [...notALink, tooLong],
		faviconUrl: [...notALink, tooLong],
		termsUrl: [...notALink, tooLong],
		privacyUrl: [...notALink, tooLong],
	};
	const each = <Value>(table: Record<BrandingField, Value[]>) =>
		(Object.entries(table) as [BrandingField, Value[]][]).flatMap(([field, values]) =>
			values.map((value) => [field, value] as const),
		);

	it.each(each(valid))("of %s is null for %j", (field, value) => {
		expect(findBrandingProblem(field, value)).toBeNull();
	});

	it.each(each(invalid))("of %s is a sentence for %j", (field, value) => {
		expect(findBrandingProblem(field, value)).toMatch(/^[A-Z].*\.$/);
	});
});
