import { Button } from "../ui/Button";
import { Notice } from "../ui/feedback";
import { NOTHING_CHANGED, whyNotSaved } from "./save-reasons";

type SaveBarProps = {
	/** The label of the button that submits the form. */
	action: string;
	save: { isPending: boolean; error: Error | null };
	isChanged: boolean;
	isReady: boolean;
	/** What the form needs before it can be submitted. */
	missing?: string | null;
	/** Without it, there is nothing to go back to. */
	onDiscard?: () => void;
};

/** The end of a long form. It stays visible while there are unsaved changes. */
export function SaveBar(props: SaveBarProps) {
	const { action, save, isChanged, isReady, missing, onDiscard } = props;
	const reason = isReady ? null : (missing ?? whyNotSaved(isChanged, false));
	return (
		<div className="save-bar" data-changed={isChanged || undefined}>
			{save.error && <Notice kind="danger">{save.error.message}</Notice>}
			<Button
				kind="primary"
				type="submit"
				busy={save.isPending}
				unavailable={reason}
				showsReason={isChanged || Boolean(missing)}
			>
				{action}
			</Button>
			{onDiscard && (
				<Button unavailable={isChanged ? null : NOTHING_CHANGED} onClick={onDiscard}>
					Discard changes
				</Button>
			)}
		</div>
	);
}
