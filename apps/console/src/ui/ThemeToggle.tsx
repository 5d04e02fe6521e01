import { useState, useSyncExternalStore } from "react";
import { chooseTheme, chosenTheme, systemIsDark, watchSystem } from "../design/theme";
import { MoonIcon, SunIcon } from "./icons";

export function ThemeToggle() {
	const [theme, setTheme] = useState(chosenTheme);
	const system = useSyncExternalStore(watchSystem, systemIsDark) ? "dark" : "light";
	const shown = theme === "system" ? system : theme;
	const next = shown === "dark" ? "light" : "dark";
	const toggle = () => {
		// Back to what the system says, so that its changes count again.
		const chosen = next === system ? "system" : next;
		chooseTheme(chosen);
		setTheme(chosen);
	};
	return (
		<button
			type="button"
			className="icon-button"
			aria-label={`Use ${next} colours`}
			title={`Use ${next} colours`}
			onClick={toggle}
		>
			{next === "light" ? <SunIcon /> : <MoonIcon />}
		</button>
	);
}
