export type Theme = "system" | "light" | "dark";

const storageKey = "theme";

/** The theme that the visitor chose; without a choice the system's. */
export function chosenTheme(): Theme {
	try {
		const stored = localStorage.getItem(storageKey);
		return stored === "light" || stored === "dark" ? stored : "system";
	} catch {
		// Storage may be forbidden to this page.
		return "system";
	}
}

export function chooseTheme(theme: Theme): void {
	try {
		if (theme === "system") localStorage.removeItem(storageKey);
		else localStorage.setItem(storageKey, theme);
	} catch {
		// Then the choice holds for this page view.
	}
	applyTheme(theme);
}

export function applyTheme(theme = chosenTheme()): void {
	if (theme === "system") delete document.documentElement.dataset.theme;
	else document.documentElement.dataset.theme = theme;
}

const darkSystem = matchMedia("(prefers-color-scheme: dark)");

export const systemIsDark = () => darkSystem.matches;

export function watchSystem(onChange: () => void): () => void {
	darkSystem.addEventListener("change", onChange);
	return () => darkSystem.removeEventListener("change", onChange);
}
