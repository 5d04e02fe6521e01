import { parse } from "hono/utils/cookie";
import { LANGUAGES, type Language } from "./languages";

/** Has the language that a user chose on a tenant's page. The page writes it. */
const LANGUAGE_COOKIE = "tenant-auth-language";

/** Languages that are written from right to left. We have none of them yet. */
const RIGHT_TO_LEFT = ["ar", "fa", "he", "ur"];

export const directionOf = (language: string): "ltr" | "rtl" =>
	RIGHT_TO_LEFT.includes(language) ? "rtl" : "ltr";

/**
 * The language that the user chose on a page, else one that the app asks for, else one that the client
 * accepts. The choice of the user comes first: otherwise it would do nothing on the pages of such an app.
 */
export function languageOfRequest(headers: Headers, uiLocales?: string): Language {
	const chosen = parse(headers.get("cookie") ?? "", LANGUAGE_COOKIE)[LANGUAGE_COOKIE];
	return (
		LANGUAGES.find((one) => one === chosen) ??
		languageOf(headers.get("accept-language") ?? undefined, uiLocales)
	);
}

/**
 * The first language that a client accepts and that we have, by its preference
 * (https://www.rfc-editor.org/rfc/rfc9110#section-12.5.4). `de-AT` matches `de`.
 *
 * @param uiLocales the languages that an app asks for, the best one first. They come before those of the client
 *   (https://openid.net/specs/openid-connect-core-1_0.html#AuthRequest).
 */
export function languageOf(acceptLanguage: string | undefined, uiLocales?: string): Language {
	const asked = findAsked(uiLocales ?? "");
	if (asked) return asked;
	const accepted = (acceptLanguage ?? "")
		.split(",")
		.map((part) => {
			// No regular expression: with one, a header of many spaces takes a second.
			const [tag = "", ...parameters] = part
				.toLowerCase()
				.split(";")
				.map((one) => one.trim());
			const quality = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
			return { tag: tag.split("-")[0], quality: quality === undefined ? 1 : Number(quality) };
		})
		.filter(({ quality }) => quality > 0)
		.sort((a, b) => b.quality - a.quality);
	for (const { tag } of accepted) {
		const language = LANGUAGES.find((one) => one === tag);
		if (language) return language;
	}
	return "en";
}

function findAsked(uiLocales: string): Language | undefined {
	const tags = uiLocales.toLowerCase().split(" ", 20);
	const found = tags.map((tag) => LANGUAGES.find((one) => one === tag.split("-", 1)[0]));
	return found.find((language) => language !== undefined);
}
