import { type ReactNode, useState } from "react";
import { UiTextsContext } from "../../ui/texts";
import type { Texts } from "./en";
import { isLanguage, type Language, rememberLanguage, setPageLanguage } from "./languages";
import { loadTexts } from "./load";
import { LanguageContext, TextsContext } from "./texts";

type TextsProviderProps = { texts: Texts; children: ReactNode };

/** The texts of a page, and a way to choose another language. What the user has typed stays. */
export function TextsProvider({ texts: first, children }: TextsProviderProps) {
	const [{ language, texts }, setCurrent] = useState(() => ({
		language: pageLanguage(),
		texts: first,
	}));
	const choose = async (language: Language) => {
		// A file that does not load changes nothing.
		const texts = await loadTexts(language).catch(() => null);
		if (!texts) return;
		rememberLanguage(language);
		setPageLanguage(language);
		setCurrent({ language, texts });
	};
	return (
		<LanguageContext value={{ language, choose }}>
			<TextsContext value={texts}>
				<UiTextsContext value={texts.ui}>{children}</UiTextsContext>
			</TextsContext>
		</LanguageContext>
	);
}

function pageLanguage(): Language {
	const { lang } = document.documentElement;
	return isLanguage(lang) ? lang : "en";
}
