import { useState } from "react";
import { chooseTheme, chosenTheme, isDark } from "../design/theme";
import { MoonIcon, SunIcon } from "./icons";

export function ThemeToggle() {
	const [theme, setTheme] = useState(chosenTheme);
	const dark = isDark(theme);
	const toggle = () => {
		const next = dark ? "light" : "dark";
		// Back to what the system says, so that its changes count again.
		const chosen = isDark("system") === (next === "dark") ? "system" : next;
		chooseTheme(chosen);
		setTheme(chosen);
	};
	return (
		<button
			type="button"
			className="icon-button"
			aria-label={`Use ${dark ? "light" : "dark"} colours`}
			title={`Use ${dark ? "light" : "dark"} colours`}
			onClick={toggle}
		>
			{dark ? <SunIcon /> : <MoonIcon />}
		</button>
	);
}
