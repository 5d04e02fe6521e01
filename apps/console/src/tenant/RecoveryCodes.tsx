import { useTenant } from "../sign-in/tenant-context";
import { useTexts } from "../sign-in/texts/texts";
import { Button, CopyButton } from "../ui/Button";

/** Shows new recovery codes, once. */
export function RecoveryCodes({ codes }: { codes: string[] }) {
	const { enroll } = useTexts();
	const { name } = useTenant().options.tenant;
	const text = codes.join("\n");
	const download = () => {
		const link = document.createElement("a");
		link.href = URL.createObjectURL(new Blob([`${name}\n\n${text}\n`], { type: "text/plain" }));
		link.download = "recovery-codes.txt";
		link.click();
		URL.revokeObjectURL(link.href);
	};
	return (
		<>
			<p>{enroll.codesHint}</p>
			<ul className="recovery-codes">
				{codes.map((code) => (
					<li key={code}>
						<code>{code}</code>
					</li>
				))}
			</ul>
			<div className="row">
				<CopyButton value={text} what={enroll.codes} labeled />
				<Button size="small" onClick={download}>
					{enroll.download}
				</Button>
			</div>
		</>
	);
}
