import { type ButtonHTMLAttributes, type ReactNode, useState } from "react";
import { CheckIcon, CopyIcon } from "./icons";
import { useUiTexts } from "./texts";

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
	/** @default "secondary" */
	kind?: "primary" | "secondary" | "danger" | "quiet";
	size?: "small" | "normal";
	/** Shows a spinner and ignores clicks. */
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
			// Not `disabled`: a disabled button loses the focus.
			aria-disabled={busy || rest["aria-disabled"] || undefined}
			onClick={busy ? (event) => event.preventDefault() : rest.onClick}
		>
			{busy ? <span className="spinner" aria-hidden="true" /> : icon}
			{children}
		</button>
	);
}

type CopyButtonProps = {
	value: string;
	/** Completes the button's name: "Copy callback URL". */
	what: string;
	/** Shows the word "Copy" next to the icon. */
	labeled?: boolean;
};

export function CopyButton({ value, what, labeled }: CopyButtonProps) {
	const texts = useUiTexts();
	const [state, setState] = useState<"idle" | "copied" | "failed">("idle");
	const copy = async () => {
		// Browsers have no clipboard on pages that were loaded over plain HTTP.
		const copied = await (navigator.clipboard?.writeText(value) ?? Promise.reject()).then(
			() => true,
			() => false,
		);
		setState(copied ? "copied" : "failed");
		setTimeout(() => setState("idle"), 2000);
	};
	const message = { idle: "", copied: texts.copied, failed: texts.copyFailed }[state];
	return (
		<>
			<Button
				kind="quiet"
				size="small"
				icon={state === "copied" ? <CheckIcon /> : <CopyIcon />}
				aria-label={texts.copyWhat(what)}
				title={message || texts.copyWhat(what)}
				onClick={copy}
			>
				{labeled && (message || texts.copy)}
			</Button>
			<span className="visually-hidden" role="status">
				{message}
			</span>
		</>
	);
}
