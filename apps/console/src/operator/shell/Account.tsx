import type { ReactNode } from "react";
import { SignOutIcon } from "../../ui/icons";
import { ThemeToggle } from "../../ui/theme";

type AccountProps = { name: ReactNode; onSignOut: () => void };

/** Who is signed in, the theme, and the way out. */
export function Account({ name, onSignOut }: AccountProps) {
	return (
		<div className="shell-account">
			<span className="muted small shell-name">{name}</span>
			<ThemeToggle />
			<button
				type="button"
				className="icon-button"
				aria-label="Sign out"
				title="Sign out"
				onClick={onSignOut}
			>
				<SignOutIcon />
			</button>
		</div>
	);
}
