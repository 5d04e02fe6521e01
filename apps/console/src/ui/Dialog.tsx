import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { Button } from "./Button";
import { Notice } from "./feedback";
import { Form, TextField } from "./fields";
import { CloseIcon } from "./icons";
import { useUiTexts } from "./texts";

type DialogProps = {
	title: string;
	open: boolean;
	/** Called for Escape, the close button, and a click outside. */
	onClose: () => void;
	children: ReactNode;
	wide?: boolean;
};

/** The browser's own dialog. It keeps the focus inside and restores it when it closes. */
export function Dialog({ title, open, onClose, children, wide }: DialogProps) {
	const ref = useRef<HTMLDialogElement>(null);
	const titleId = useId();
	const texts = useUiTexts();

	useEffect(() => {
		const dialog = ref.current;
		if (open && !dialog?.open) {
			dialog?.showModal();
			// Otherwise the close button would have the focus.
			dialog
				?.querySelector<HTMLElement>(`.dialog-content :is(summary, input, select, textarea)`)
				?.focus();
		}
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
						<button
							type="button"
							className="icon-button"
							aria-label={texts.close}
							onClick={onClose}
						>
							<CloseIcon />
						</button>
					</header>
					<div className="stack dialog-content">{children}</div>
				</div>
			)}
		</dialog>
	);
}

/** What happens when the user confirms, such as the result of `useApiMutation`. */
type Mutation = {
	mutate: () => void;
	isPending?: boolean;
	error?: { message: string } | null;
	/** Forgets the error. */
	reset?: () => void;
};

/** The next time, the dialog may ask about something else, which has not failed. */
const closing =
	({ error, reset }: Mutation, onClose: () => void) =>
	() => {
		if (error) reset?.();
		onClose();
	};

type ConfirmProps = {
	title: string;
	/** The text of the button. */
	action: string;
	danger?: boolean;
	open: boolean;
	mutation: Mutation;
	onClose: () => void;
	/** Says what will happen. */
	children: ReactNode;
};

/** Asks before something that can be undone or repeated. */
export function Confirm(props: ConfirmProps) {
	const { title, action, danger = true, open, mutation } = props;
	const { mutate, isPending, error } = mutation;
	const onClose = closing(mutation, props.onClose);
	return (
		<Dialog title={title} open={open} onClose={onClose}>
			{props.children}
			{error && <Notice kind="danger">{error.message}</Notice>}
			<footer className="dialog-foot">
				<Button onClick={onClose}>Cancel</Button>
				<Button kind={danger ? "danger" : "primary"} busy={isPending} onClick={() => mutate()}>
					{action}
				</Button>
			</footer>
		</Dialog>
	);
}

type ConfirmByTypingProps = {
	title: string;
	/** What the user has to type. */
	expected: string;
	/** Names it in the label: "Type the slug …". @default "the slug" */
	expectedName?: string;
	/** The text of the button. */
	action: string;
	open: boolean;
	mutation: Mutation;
	onClose: () => void;
	/** Says what will happen. */
	children: ReactNode;
};

/** Asks the user to type a name before something that is hard to undo. */
export function ConfirmByTyping({ title, open, ...form }: ConfirmByTypingProps) {
	const onClose = closing(form.mutation, form.onClose);
	return (
		<Dialog title={title} open={open} onClose={onClose}>
			<TypingForm {...form} onClose={onClose} />
		</Dialog>
	);
}

/** Its own component: a dialog that opens again must not remember what was typed. */
function TypingForm(props: Omit<ConfirmByTypingProps, "title" | "open">) {
	const { expected, expectedName = "the slug", action, mutation, onClose } = props;
	const { mutate, isPending, error } = mutation;
	const [typed, setTyped] = useState("");
	const texts = useUiTexts();
	const isConfirmed = typed === expected;
	return (
		<Form onSubmit={() => isConfirmed && !isPending && mutate()}>
			{props.children}
			{error && <Notice kind="danger">{error.message}</Notice>}
			<TextField
				label={texts.typeToConfirm(expectedName, expected)}
				value={typed}
				onValueChange={setTyped}
				autoComplete="off"
				autoCapitalize="none"
				spellCheck={false}
			/>
			<footer className="dialog-foot">
				<Button onClick={onClose}>{texts.cancel}</Button>
				<Button
					kind="danger"
					type="submit"
					busy={isPending}
					unavailable={isConfirmed ? null : texts.typeFirst}
				>
					{action}
				</Button>
			</footer>
		</Form>
	);
}
