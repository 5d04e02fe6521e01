import { type ReactNode, useEffect, useId, useRef, useState } from "react";

type PopoverProps = {
	/** The content of the button. */
	button: ReactNode;
	/** The name of the button, if its content does not say it. */
	label?: string;
	className?: string;
	/** What the button opens, for screen readers. */
	kind: "menu" | "dialog";
	/** The side of the button with which the panel is aligned. @default "start" */
	align?: "start" | "end";
	panelClassName?: string;
	children: (close: () => void) => ReactNode;
};

const GAP = 4;

/**
 * A button that opens a panel above everything else. The browser closes it after Escape and after a
 * click outside, and gives the focus back to the button.
 */
export function Popover(props: PopoverProps) {
	const { button, label, className = "", kind, align = "start", panelClassName = "" } = props;
	const id = useId();
	const anchor = useRef<HTMLButtonElement>(null);
	const panel = useRef<HTMLDivElement>(null);
	const [isOpen, setOpen] = useState(false);
	const close = () => panel.current?.hidePopover();

	useEffect(() => {
		if (!isOpen) return;
		// The panel does not move with the page.
		const closeOnScroll = ({ target }: Event) =>
			target === document && panel.current?.hidePopover();
		document.addEventListener("scroll", closeOnScroll, true);
		return () => document.removeEventListener("scroll", closeOnScroll, true);
	}, [isOpen]);

	return (
		<>
			<button
				ref={anchor}
				type="button"
				className={className}
				aria-label={label}
				title={label}
				aria-haspopup={kind}
				aria-expanded={isOpen}
				popoverTarget={id}
			>
				{button}
			</button>
			<div
				ref={panel}
				id={id}
				popover="auto"
				className={`popover ${panelClassName}`}
				onBeforeToggle={({ newState }) => {
					if (newState === "open" && anchor.current && panel.current) {
						place(panel.current, anchor.current, align);
					}
				}}
				onToggle={({ newState }) => setOpen(newState === "open")}
			>
				{isOpen && props.children(close)}
			</div>
		</>
	);
}

/** Below the button, or above it if there is more room. */
function place({ style }: HTMLElement, anchor: HTMLElement, align: "start" | "end"): void {
	const { top, bottom, left, right } = anchor.getBoundingClientRect();
	const { clientWidth: width, clientHeight: height } = document.documentElement;
	const isAbove = bottom > height * 0.65;
	style.top = isAbove ? "auto" : `${bottom + GAP}px`;
	style.bottom = isAbove ? `${height - top + GAP}px` : "auto";
	style.left = align === "start" ? `${Math.max(GAP, left)}px` : "auto";
	style.right = align === "end" ? `${Math.max(GAP, width - right)}px` : "auto";
	style.maxHeight = `${(isAbove ? top : height - bottom) - 3 * GAP}px`;
}
