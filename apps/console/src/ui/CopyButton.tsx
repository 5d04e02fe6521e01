import { useState } from "react";
import { Button } from "./Button";
import { CheckIcon, CopyIcon } from "./icons";

type CopyButtonProps = {
	value: string;
	/** What is copied, for the button's name: "Copy callback URL". */
	what: string;
	/** Shows the word beside the icon. */
	labelled?: boolean;
};

export function CopyButton({ value, what, labelled }: CopyButtonProps) {
	const [state, setState] = useState<"idle" | "copied" | "failed">("idle");
	const copy = async () => {
		// There is no clipboard on a page that came over plain http from elsewhere.
		const done = await (navigator.clipboard?.writeText(value) ?? Promise.reject()).then(
			() => true,
			() => false,
		);
		setState(done ? "copied" : "failed");
		setTimeout(() => setState("idle"), 2000);
	};
	const said = { idle: "", copied: "Copied", failed: "Not allowed here; select and copy it" }[
		state
	];
	return (
		<>
			<Button
				kind="quiet"
				size="small"
				icon={state === "copied" ? <CheckIcon /> : <CopyIcon />}
				aria-label={`Copy ${what}`}
				title={said || `Copy ${what}`}
				onClick={copy}
			>
				{labelled && (said || "Copy")}
			</Button>
			<span className="visually-hidden" role="status">
				{said}
			</span>
		</>
	);
}
