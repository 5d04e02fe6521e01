import { en, type Texts } from "./en";

/** Only the language of the page is loaded. */
const LOADERS = new Map<string, () => Promise<Texts>>([
	["de", async () => (await import("./de")).de],
	["es", async () => (await import("./es")).es],
	["fr", async () => (await import("./fr")).fr],
	["ja", async () => (await import("./ja")).ja],
]);

/** The texts in the language that the server chose by the `Accept-Language` header. */
export async function loadTexts(page: HTMLElement): Promise<Texts> {
	try {
		const texts = await LOADERS.get(page.lang)?.();
		if (texts) return texts;
	} catch {
		// A newer build may have replaced the file. English is a part of the page itself.
	}
	page.lang = "en";
	return en;
}
