import { CopyButton } from "../../ui/Button";

/** New recovery codes, which are shown once. */
export function RecoveryCodes({ codes }: { codes: string[] }) {
	const text = codes.join("\n");
	return (
		<div className="with-button">
			<code className="recovery-codes">{text}</code>
			<CopyButton value={text} what="recovery codes" />
		</div>
	);
}
