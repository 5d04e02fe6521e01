import type { InputHTMLAttributes } from "react";
import { Field, type FieldText } from "./Field";

type TextFieldProps = FieldText & InputHTMLAttributes<HTMLInputElement>;

export function TextField({ label, hint, error, aside, className, ...input }: TextFieldProps) {
	return (
		<Field label={label} hint={hint} error={error} aside={aside}>
			{(control) => (
				<input type="text" {...input} {...control} className={`control ${className ?? ""}`} />
			)}
		</Field>
	);
}
