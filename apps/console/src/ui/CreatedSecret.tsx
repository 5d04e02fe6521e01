import { Button, CopyButton } from "./Button";
import { Notice } from "./feedback";

type CreatedSecretProps = {
	/** What it is, such as "key". */
	what: string;
	value: string;
	onClose: () => void;
};

/** A secret that is shown once, at the end of the dialog that created it. */
export function CreatedSecret({ what, value, onClose }: CreatedSecretProps) {
	return (
		<>
			<Notice kind="success">The {what} was created. Copy it now: it is not shown again.</Notice>
			<p className="with-button shown-once">
				<code className="break">{value}</code>
				<CopyButton value={value} what={what} labeled />
			</p>
			<footer className="dialog-foot">
				<Button kind="primary" onClick={onClose}>
					Done
				</Button>
			</footer>
		</>
	);
}
