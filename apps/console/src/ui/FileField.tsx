import { type DragEvent, type ReactNode, useRef, useState } from "react";
import { Field } from "./fields";

type FileFieldProps = {
	label: string;
	hint?: ReactNode;
	error?: ReactNode;
	accept?: string;
	disabled?: boolean;
	required?: boolean;
	/** Forgets the file at once, so that the same file can be chosen again. */
	forgets?: boolean;
	onFile: (file: File) => void;
};

/** A file that is chosen, or dropped anywhere on the field. */
export function FileField({ label, hint, error, forgets, onFile, ...rest }: FileFieldProps) {
	const input = useRef<HTMLInputElement>(null);
	const [isOver, setOver] = useState(false);
	const take = (files: FileList | null) => {
		const file = files?.[0];
		if (file) onFile(file);
		if (forgets && input.current) input.current.value = "";
	};
	const drop = (event: DragEvent) => {
		event.preventDefault();
		setOver(false);
		const { files } = event.dataTransfer;
		if (rest.disabled || files.length === 0) return;
		if (!forgets && input.current) input.current.files = files;
		take(files);
	};
	return (
		<Field label={label} hint={hint} error={error}>
			{(control) => (
				// biome-ignore lint/a11y/noStaticElementInteractions: The field in it does the same by keyboard.
				<div
					className="drop-zone"
					data-over={isOver || undefined}
					onDragOver={(event) => {
						event.preventDefault();
						setOver(!rest.disabled);
					}}
					onDragLeave={() => setOver(false)}
					onDrop={drop}
				>
					<input
						{...control}
						{...rest}
						ref={input}
						type="file"
						className="control control-file"
						onChange={({ target }) => take(target.files)}
					/>
					<span className="muted small drop-hint" aria-hidden="true">
						or drop it here
					</span>
				</div>
			)}
		</Field>
	);
}
