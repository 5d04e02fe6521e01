import { describe, expect, test } from "vitest";
import { de } from "../src/sign-in/texts/de";
import { en } from "../src/sign-in/texts/en";
import { es } from "../src/sign-in/texts/es";
import { fr } from "../src/sign-in/texts/fr";
import { ja } from "../src/sign-in/texts/ja";

/** Every text by its path. Functions get a number for each parameter. */
function textsIn(value: unknown, path = ""): [string, string][] {
	if (typeof value === "string") return [[path, value]];
	if (typeof value === "function") {
		const given = Array.from({ length: value.length }, (_, index) => `#${index}#`);
		return [[path, String(value(...given))]];
	}
	return Object.entries(Object(value)).flatMap(([key, inner]) => textsIn(inner, `${path}.${key}`));
}

/** Words that a language shares with English. */
const SHARED = new Set(["Code", "Name", "sessions", "Passkeys"]);

const english = new Map(textsIn(en));

describe.each(Object.entries({ de, es, fr, ja }))("the texts in %s", (_, texts) => {
	const translated = textsIn(texts);

	test("have an element in the same places as the English ones, and the same values", () => {
		const slots = (text = "") => [text.split("{}").length, ...(text.match(/#\d#/g) ?? []).sort()];
		const wrong = translated.filter(
			([path, text]) =>
				path !== ".errors.unknown" &&
				JSON.stringify(slots(text)) !== JSON.stringify(slots(english.get(path))),
		);
		expect(wrong).toEqual([]);
	});

	test("are not empty and not left in English", () => {
		const same = translated.flatMap(([path, text]) => (text === english.get(path) ? [text] : []));
		expect(same.filter((text) => !SHARED.has(text))).toEqual([]);
		expect(translated.filter(([, text]) => text.trim() === "")).toEqual([]);
	});
});
