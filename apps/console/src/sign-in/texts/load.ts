import { en, type Texts } from "./en";
import { isLanguage, type Language, setPageLanguage } from "./languages";

/** Only the language of the page is loaded. */
const LOADERS: Record<Language, () => Promise<Texts>> = {
	en: async () => en,
	de: async () => (await import("./de")).de,
	es: async () => (await import("./es")).es,
	fr: async () => (await import("./fr")).fr,
	ja: async () => (await import("./ja")).ja,
};

export const loadTexts = (language: Language): Promise<Texts> => LOADERS[language]();

/** The texts in the language that the server chose. */
export async function loadPageTexts(page: HTMLElement): Promise<Texts> {
	try {
		if (isLanguage(page.lang)) return await loadTexts(page.lang);
	} catch {
		// A newer build may have replaced the file. English is a part of the page itself.
	}
	setPageLanguage("en", page);
	return en;
}
