import { findBrandingProblem } from "better-auth-tenant/rules";
import { replacedColors } from "../../design/accent";
import { Notice } from "../../ui/feedback";
import { Field } from "../../ui/fields";

type ColorFieldProps = {
	label: string;
	value: string;
	onValueChange: (value: string) => void;
	error?: string | undefined;
};

/** A color that the operator types or picks, with a warning if a page cannot use it as it is. */
export function ColorField({ label, value, onValueChange, error }: ColorFieldProps) {
	const color = findBrandingProblem("primaryColor", value) ? null : value.trim();
	return (
		<>
			<Field
				label={label}
				error={error}
				hint="The color of buttons and links. Empty: the color of the service."
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
			{color && <ContrastWarning color={color} />}
		</>
	);
}

function ContrastWarning({ color }: { color: string }) {
	const replaced = replacedColors(color);
	if (replaced.length === 0) return null;
	return (
		<Notice kind="warning">
			<ul className="stack stack-tight">
				{replaced.map(({ theme, used }) => (
					<li key={theme}>
						{color} is hard to see on the {theme} page. Buttons there are{" "}
						<span className="swatch" style={{ backgroundColor: used }} /> <code>{used}</code>.
					</li>
				))}
			</ul>
		</Notice>
	);
}
