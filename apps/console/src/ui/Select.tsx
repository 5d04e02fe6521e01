import type { SelectHTMLAttributes } from "react";
import { Field, type FieldText } from "./Field";

type SelectProps = FieldText &
	SelectHTMLAttributes<HTMLSelectElement> & {
		options: { value: string; label: string }[];
	};

export function Select({ label, hint, error, aside, options, ...select }: SelectProps) {
	return (
		<Field label={label} hint={hint} error={error} aside={aside}>
			{(control) => (
				<select {...select} {...control} className="control control-select">
					{options.map((option) => (
						<option key={option.value} value={option.value}>
							{option.label}
						</option>
					))}
				</select>
			)}
		</Field>
	);
}
