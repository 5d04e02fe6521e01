import { useState, useSyncExternalStore } from "react";
import { MoonIcon, SunIcon } from "./icons";
import { useUiTexts } from "./texts";

type Theme = "system" | "light" | "dark";

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
}

const darkSystem = matchMedia("(prefers-color-scheme: dark)");

function watchSystem(onChange: () => void): () => void {
	darkSystem.addEventListener("change", onChange);
	return () => darkSystem.removeEventListener("change", onChange);
}

export function ThemeToggle() {
	const [theme, setTheme] = useState(readTheme);
	const texts = useUiTexts();
	const system = useSyncExternalStore(watchSystem, () => darkSystem.matches) ? "dark" : "light";
	const current = theme === "system" ? system : theme;
	const next = current === "dark" ? "light" : "dark";
	const toggle = () => {
		// "system" where it gives the same colors, so that the page follows later changes.
		const chosen = next === system ? "system" : next;
		saveTheme(chosen);
		setTheme(chosen);
	};
	return (
		<button
			type="button"
			className="icon-button"
			aria-label={texts.switchTo[next]}
			title={texts.switchTo[next]}
			onClick={toggle}
		>
			{next === "light" ? <SunIcon /> : <MoonIcon />}
		</button>
	);
}
