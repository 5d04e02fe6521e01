import { createContext, type ReactNode, useContext } from "react";
import type { Texts } from "./en";
import type { Language } from "./languages";

export const TextsContext = createContext<Texts | null>(null);

export function useTexts(): Texts {
	const texts = useContext(TextsContext);
	if (!texts) throw new Error("useTexts works only inside TextsContext.");
	return texts;
}

type LanguageChoice = { language: Language; choose: (language: Language) => Promise<void> };

/** Without a provider, as in a preview, there is nothing to choose. */
export const LanguageContext = createContext<LanguageChoice>({
	language: "en",
	choose: async () => {},
});

export const useLanguage = (): LanguageChoice => useContext(LanguageContext);

/** A text with an element in place of `{}`. */
export function Filled({ text, children }: { text: string; children: ReactNode }) {
	const [before, after] = text.split("{}");
	return (
		<>
			{before}
			{children}
			{after}
		</>
	);
}
