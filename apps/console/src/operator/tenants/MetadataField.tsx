import { useRef } from "react";
import { TextArea } from "../../ui/TextArea";
import { formatMetadata, parseMetadata } from "./metadata-text";

type MetadataFieldProps = {
	value: string;
	onChange: (text: string) => void;
	/** What the service said of it. */
	error?: string | undefined;
};

/** A JSON object, with what is wrong and on which line. */
export function MetadataField({ value, onChange, error }: MetadataFieldProps) {
	const frame = useRef<HTMLDivElement>(null);
	const { metadata, problem } = parseMetadata(value);
	const goTo = (line: number) => {
		const area = frame.current?.querySelector("textarea");
		const lines = value.split("\n");
		const start = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
		area?.focus();
		area?.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
	};
	const message = problem && (
		<>
			{problem.line ? (
				<button type="button" className="link-button" onClick={() => goTo(problem.line as number)}>
					Line {problem.line}, column {problem.column}
				</button>
			) : null}
			{problem.line ? ": " : null}
			{problem.message}
		</>
	);
	return (
		<div ref={frame}>
			<TextArea
				label="Metadata"
				code
				rows={Math.min(24, Math.max(8, value.split("\n").length + 1))}
				hint="One JSON object of up to 16 KB. Only what stands under “branding” is public."
				value={value}
				onChange={(event) => onChange(event.target.value)}
				error={message ?? error}
				aside={
					<button
						type="button"
						className="link-button"
						disabled={!metadata}
						onClick={() => metadata && onChange(formatMetadata(metadata))}
					>
						Format
					</button>
				}
			/>
		</div>
	);
}
