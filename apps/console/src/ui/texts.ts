import { createContext, useContext } from "react";

/** The texts of the shared components in English. A page in another language provides its own. */
export const uiTexts = {
	close: "Close",
	cancel: "Cancel",
	dismiss: "Dismiss",
	tryAgain: "Try again",
	loadFailed: "Could not load this",
	show: (what: string) => `Show ${what.toLowerCase()}`,
	hide: (what: string) => `Hide ${what.toLowerCase()}`,
	email: "Email",
	switchTo: { light: "Switch to light mode", dark: "Switch to dark mode" },
	typeToConfirm: (what: string, expected: string) => `Type ${what} “${expected}” to confirm`,
	pagesOf: (what: string) => `Pages of ${what}`,
	loading: "Loading",
	rangeOf: (range: string, total: string) => `${range} of ${total}`,
	previous: "Previous",
	next: "Next",
	isFirstPage: "This is the first page.",
	isLastPage: "This is the last page.",
	typeFirst: "Type it first.",
	copy: "Copy",
	copyWhat: (what: string) => `Copy ${what}`,
	copied: "Copied",
	copyFailed: "Could not copy. Select the text and copy it.",
	strength: {
		label: "Password strength",
		short: "Too short",
		personal: "Easy to guess: it has a name or an email in it",
		repeated: "Easy to guess: it repeats itself",
		common: "Easy to guess: many people use such a password",
		fair: "Fair. A longer one is better.",
		good: "Good",
	},
};

export type UiTexts = typeof uiTexts;

export const UiTextsContext = createContext<UiTexts>(uiTexts);

export const useUiTexts = (): UiTexts => useContext(UiTextsContext);
