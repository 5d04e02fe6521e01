import type { ButtonHTMLAttributes, ReactNode } from "react";

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
	/** @default "secondary" */
	kind?: "primary" | "secondary" | "danger" | "quiet";
	size?: "small" | "normal";
	/** Shows that the work is under way, and takes no second click. */
	busy?: boolean;
	icon?: ReactNode;
	wide?: boolean;
};

export function Button(props: ButtonProps) {
	const {
		kind = "secondary",
		size = "normal",
		busy,
		icon,
		wide,
		className,
		children,
		...rest
	} = props;
	const classes = [
		`button button-${kind}`,
		size === "small" && "button-small",
		wide && "button-wide",
		className,
	];
	return (
		<button
			type="button"
			{...rest}
			className={classes.filter(Boolean).join(" ")}
			aria-busy={busy || undefined}
			// Not `disabled`: the focus would be lost while the work is under way.
			aria-disabled={busy || rest["aria-disabled"] || undefined}
			onClick={busy ? (event) => event.preventDefault() : rest.onClick}
		>
			{busy ? <span className="spinner" aria-hidden="true" /> : icon}
			{children}
		</button>
	);
}
