import { Field } from "../../ui/Field";

type ColorFieldProps = {
	label: string;
	value: string;
	onChange: (color: string) => void;
	error?: string | undefined;
};

/** A colour, typed or picked. */
export function ColorField({ label, value, onChange, error }: ColorFieldProps) {
	return (
		<Field label={label} error={error} hint="Lighter or darker where it could not be read.">
			{(control) => (
				<div className="color-field">
					<input
						type="color"
						aria-label={`Pick the ${label.toLowerCase()}`}
						value={/^#[\da-f]{6}$/i.test(value) ? value : "#4f46e5"}
						onChange={(event) => onChange(event.target.value)}
					/>
					<input
						type="text"
						className="control"
						placeholder="#4f46e5"
						{...control}
						value={value}
						onChange={(event) => onChange(event.target.value)}
						autoComplete="off"
						spellCheck={false}
					/>
				</div>
			)}
		</Field>
	);
}
