import { findBrandingProblem } from "better-auth-tenant/rules";
import { Field } from "../../ui/fields";

type ColorFieldProps = {
	label: string;
	value: string;
	onValueChange: (value: string) => void;
	error?: string | undefined;
};

/** A color that the operator types or picks. */
export function ColorField({ label, value, onValueChange, error }: ColorFieldProps) {
	const color = findBrandingProblem("primaryColor", value) ? null : value.trim();
	return (
		<Field
			label={label}
			error={error}
			hint="The color of buttons. Links have a version of it that is easy to read. Empty: the color of the service."
		>
			{(control) => (
				<div className="color-field">
					<input
						type="color"
						aria-label={`Pick the ${label.toLowerCase()}`}
						value={color ?? "#4f46e5"}
						onChange={(event) => onValueChange(event.target.value)}
					/>
					<input
						type="text"
						className="control"
						placeholder="#4f46e5"
						{...control}
						value={value}
						onChange={(event) => onValueChange(event.target.value)}
						autoComplete="off"
						spellCheck={false}
					/>
				</div>
			)}
		</Field>
	);
}
