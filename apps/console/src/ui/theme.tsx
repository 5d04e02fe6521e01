import { createContext, useContext, useSyncExternalStore } from "react";
import { MoonIcon, SunIcon } from "./icons";
import { useUiTexts } from "./texts";

type ShownTheme = "light" | "dark";
type Theme = "system" | ShownTheme;

const STORAGE_KEY = "theme";

function readTheme(): Theme {
	try {
		const stored = localStorage.getItem(STORAGE_KEY);
		return stored === "light" || stored === "dark" ? stored : "system";
	} catch {
		// The browser can block storage.
		return "system";
	}
}

function saveTheme(theme: Theme): void {
	try {
		if (theme === "system") localStorage.removeItem(STORAGE_KEY);
		else localStorage.setItem(STORAGE_KEY, theme);
	} catch {
		// Without storage the theme lasts until the next page load.
	}
	applyTheme(theme);
}

export function applyTheme(theme = readTheme()): void {
	if (theme === "system") delete document.documentElement.dataset.theme;
	else document.documentElement.dataset.theme = theme;
	for (const onChange of watchers) onChange();
}

const darkSystem = matchMedia("(prefers-color-scheme: dark)");
const watchers = new Set<() => void>();

function watchTheme(onChange: () => void): () => void {
	darkSystem.addEventListener("change", onChange);
	watchers.add(onChange);
	return () => {
		darkSystem.removeEventListener("change", onChange);
		watchers.delete(onChange);
	};
}

const systemTheme = (): ShownTheme => (darkSystem.matches ? "dark" : "light");

export function shownTheme(): ShownTheme {
	const { theme } = document.documentElement.dataset;
	return theme === "light" || theme === "dark" ? theme : systemTheme();
}

/** The theme of a preview, which can differ from that of the page around it. */
export const PreviewTheme = createContext<ShownTheme | null>(null);

export function useTheme(): ShownTheme {
	const preview = useContext(PreviewTheme);
	const shown = useSyncExternalStore(watchTheme, shownTheme);
	return preview ?? shown;
}

export function ThemeToggle() {
	const texts = useUiTexts();
	const next = useTheme() === "dark" ? "light" : "dark";
	return (
		<button
			type="button"
			className="icon-button"
			aria-label={texts.switchTo[next]}
			title={texts.switchTo[next]}
			// "system" where it gives the same colors, so that the page follows later changes.
			onClick={() => saveTheme(next === systemTheme() ? "system" : next)}
		>
			{next === "light" ? <SunIcon /> : <MoonIcon />}
		</button>
	);
}
