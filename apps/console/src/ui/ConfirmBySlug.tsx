import { type ReactNode, useState } from "react";
import { Button } from "./Button";
import { Dialog } from "./Dialog";
import { Notice } from "./Notice";
import { TextField } from "./TextField";

type ConfirmBySlugProps = {
	title: string;
	/** What has to be typed: the tenant's slug, or whatever names the thing. */
	slug: string;
	/** What the word is, in the label: "the slug". @default "the slug" */
	what?: string;
	/** The verb on the button. */
	action: string;
	open: boolean;
	busy?: boolean;
	error?: string | undefined;
	onConfirm: () => void;
	onClose: () => void;
	/** What will happen. */
	children: ReactNode;
};

/** A step that cannot be undone, taken only after typing the name of what it is done to. */
export function ConfirmBySlug(props: ConfirmBySlugProps) {
	const { title, slug, what = "the slug", action, open, busy, error, onConfirm, onClose } = props;
	const [typed, setTyped] = useState("");
	const close = () => {
		setTyped("");
		onClose();
	};
	return (
		<Dialog title={title} open={open} onClose={close}>
			<form
				className="stack"
				onSubmit={(event) => {
					event.preventDefault();
					if (typed === slug && !busy) onConfirm();
				}}
			>
				{props.children}
				{error && <Notice kind="danger">{error}</Notice>}
				<TextField
					label={`Type ${what} “${slug}” to confirm`}
					value={typed}
					onChange={(event) => setTyped(event.target.value)}
					autoComplete="off"
					autoCapitalize="none"
					spellCheck={false}
				/>
				<footer className="dialog-foot">
					<Button onClick={close}>Cancel</Button>
					<Button kind="danger" type="submit" busy={busy} disabled={typed !== slug}>
						{action}
					</Button>
				</footer>
			</form>
		</Dialog>
	);
}
