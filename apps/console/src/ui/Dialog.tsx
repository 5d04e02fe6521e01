import { type ReactNode, useEffect, useId, useRef } from "react";
import { CloseIcon } from "./icons";

type DialogProps = {
	title: string;
	open: boolean;
	/** By Escape, the cross, or a click beside it. */
	onClose: () => void;
	children: ReactNode;
	/** The buttons, the most important last. */
	footer?: ReactNode;
	wide?: boolean;
};

/** The browser's own dialog: it keeps the focus inside and gives it back. */
export function Dialog({ title, open, onClose, children, footer, wide }: DialogProps) {
	const ref = useRef<HTMLDialogElement>(null);
	const titleId = useId();

	useEffect(() => {
		const dialog = ref.current;
		if (open && !dialog?.open) dialog?.showModal();
		if (!open && dialog?.open) dialog.close();
	}, [open]);

	return (
		// biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it as well.
		<dialog
			ref={ref}
			className={`dialog ${wide ? "dialog-wide" : ""}`}
			aria-labelledby={titleId}
			onCancel={(event) => {
				event.preventDefault();
				onClose();
			}}
			onClick={(event) => event.target === ref.current && onClose()}
		>
			{open && (
				<div className="dialog-body">
					<header className="dialog-head">
						<h2 id={titleId}>{title}</h2>
						<button type="button" className="icon-button" aria-label="Close" onClick={onClose}>
							<CloseIcon />
						</button>
					</header>
					<div className="stack">{children}</div>
					{footer && <footer className="dialog-foot">{footer}</footer>}
				</div>
			)}
		</dialog>
	);
}
