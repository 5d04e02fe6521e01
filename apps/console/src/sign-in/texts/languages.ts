/** The languages of a tenant's pages, each by its own name. The server has the same ones. */
export const LANGUAGES = {
	en: "English",
	de: "Deutsch",
	fr: "Français",
	es: "Español",
	ja: "日本語",
} as const;

export type Language = keyof typeof LANGUAGES;

export const isLanguage = (code: string): code is Language => Object.hasOwn(LANGUAGES, code);

/** As on the server: languages that are written from right to left. We have none of them yet. */
const RIGHT_TO_LEFT = ["ar", "fa", "he", "ur"];

/** Makes it the language of the page. Style sheets use `inline-start` and `inline-end`, which follow `dir`. */
export function setPageLanguage(code: string, page = document.documentElement): void {
	page.lang = code;
	page.dir = RIGHT_TO_LEFT.includes(code) ? "rtl" : "ltr";
}

const ONE_YEAR = 365 * 24 * 60 * 60;

/** In a cookie, so that the server and its emails follow. It belongs to this host only. */
export function rememberLanguage(language: Language): void {
	const secure = location.protocol === "https:" ? "; secure" : "";
	// biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store API
	document.cookie = `tenant-auth-language=${language}; path=/; max-age=${ONE_YEAR}; samesite=lax${secure}`;
}
