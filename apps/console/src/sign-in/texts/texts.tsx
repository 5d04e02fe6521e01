import { createContext, type ReactNode, useContext } from "react";
import type { Texts } from "./en";

export const TextsContext = createContext<Texts | null>(null);

export function useTexts(): Texts {
	const texts = useContext(TextsContext);
	if (!texts) throw new Error("useTexts works only inside TextsContext.");
	return texts;
}

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
