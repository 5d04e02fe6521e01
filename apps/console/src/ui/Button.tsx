import { type ButtonHTMLAttributes, type MouseEvent, type ReactNode, useId, useState } from "react";
import { CheckIcon, CopyIcon } from "./icons";
import { useUiTexts } from "./texts";

type ButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, "disabled"> & {
	/** @default "secondary" */
	kind?: "primary" | "secondary" | "danger" | "quiet";
	size?: "small" | "normal";
	/** Shows a spinner and ignores clicks. */
	busy?: boolean;
	/** Why it cannot be used now. It keeps the focus, and says why to whoever tries it. */
	unavailable?: string | null;
	/** Says why before somebody has tried it. */
	showsReason?: boolean;
	icon?: ReactNode;
	wide?: boolean;
};

export function Button(props: ButtonProps) {
	const {
		kind = "secondary",
		size = "normal",
		busy,
		unavailable = null,
		showsReason = false,
		icon,
		wide,
		className,
		children,
		...rest
	} = props;
	const reasonId = useId();
	const [isTried, setTried] = useState(false);
	if (isTried && unavailable === null) setTried(false);
	const refuse = (event: MouseEvent) => {
		event.preventDefault();
		setTried(!busy && unavailable !== null);
	};
	const classes = [
		`button button-${kind}`,
		size === "small" && "button-small",
		wide && "button-wide",
		className,
	];
	return (
		<>
			<button
				type="button"
				{...rest}
				className={classes.filter(Boolean).join(" ")}
				aria-busy={busy || undefined}
				// Not `disabled`: a disabled button loses the focus.
				aria-disabled={busy || unavailable !== null || rest["aria-disabled"] || undefined}
				aria-describedby={unavailable === null ? rest["aria-describedby"] : reasonId}
				title={unavailable ?? rest.title}
				onClick={busy || unavailable !== null ? refuse : rest.onClick}
			>
				{busy ? <span className="spinner" aria-hidden="true" /> : icon}
				{children}
			</button>
			{unavailable !== null && (
				<span
					id={reasonId}
					className={isTried || showsReason ? "button-reason small" : "visually-hidden"}
				>
					{unavailable}
				</span>
			)}
		</>
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
