import { expect, test } from "vitest";
import { LANGUAGES as OF_PAGES } from "../../console/src/sign-in/texts/languages";
import { directionOf, languageOf, languageOfRequest } from "../src/language";
import { LANGUAGES } from "../src/languages";

test.each([
	[undefined, "en"],
	["", "en"],
	["*", "en"],
	["de", "de"],
	["de-AT,de;q=0.9,en;q=0.8", "de"],
	["pt-BR, fr-CA;q=0.8, en;q=0.7", "fr"],
	["en;q=0.3, ja;q=0.9", "ja"],
	["fr;q=0, es", "es"],
	["ES", "es"],
	["de;q=nonsense, fr", "fr"],
	["xx,yy;q=1;z", "en"],
	[";;,,=", "en"],
	["en ; q=0.3 , fr ; q=0.4", "fr"],
])("%j is answered in %s", (header, language) => {
	expect(languageOf(header)).toBe(language);
});

test.each([
	["de", "fr", "fr"],
	["de", "pt-BR fr-CA es", "fr"],
	["de", "se", "de"],
	["de", "", "de"],
	[undefined, "JA", "ja"],
])("%j is answered in the language that the app asks for, %j", (header, uiLocales, language) => {
	expect(languageOf(header, uiLocales)).toBe(language);
});

// With an expression that looks for spaces at each position, this would take hours.
test("a header of many spaces is read once", () => {
	expect(languageOf(`de${" ".repeat(1_000_000)}x, fr`)).toBe("fr");
});

test.each([
	["tenant-auth-language=fr", "fr"],
	["a=b; tenant-auth-language=ja; c=d", "ja"],
	["tenant-auth-language=xx", "es"],
	["tenant-auth-language=", "es"],
	["tenant-auth-language=FR", "es"],
	["tenant-auth-language=%E0%A4%A", "es"],
	["language=fr", "es"],
	["", "es"],
])("a request with the cookie %j is answered in %s", (cookie, language) => {
	const headers = new Headers({ cookie, "accept-language": "de" });
	expect(languageOfRequest(headers, "es")).toBe(language);
});

test("languages are written from left to right, apart from some that we do not have yet", () => {
	expect(LANGUAGES.map(directionOf)).toEqual(LANGUAGES.map(() => "ltr"));
	expect(directionOf("ar")).toBe("rtl");
});

test("a user can choose each of the languages on a page", () => {
	expect(Object.keys(OF_PAGES)).toEqual(LANGUAGES);
});
