import { Button } from "../ui/Button";
import { Notice } from "../ui/feedback";

type SaveBarProps = {
	/** The label of the button that submits the form. */
	action: string;
	save: { isPending: boolean; error: Error | null };
	isChanged: boolean;
	isReady: boolean;
	/** Without it, there is nothing to go back to. */
	onDiscard?: () => void;
};

/** The end of a long form. It stays visible while there are unsaved changes. */
export function SaveBar({ action, save, isChanged, isReady, onDiscard }: SaveBarProps) {
	return (
		<div className="save-bar" data-changed={isChanged || undefined}>
			{save.error && <Notice kind="danger">{save.error.message}</Notice>}
			<Button kind="primary" type="submit" busy={save.isPending} disabled={!isReady}>
				{action}
			</Button>
			{onDiscard && (
				<Button disabled={!isChanged} onClick={onDiscard}>
					Discard changes
				</Button>
			)}
		</div>
	);
}
