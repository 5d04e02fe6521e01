import type { TextareaHTMLAttributes } from "react";
import { Field, type FieldText } from "./Field";

type TextAreaProps = FieldText &
	TextareaHTMLAttributes<HTMLTextAreaElement> & {
		/** For JSON and the like. */
		code?: boolean;
	};

export function TextArea({ label, hint, error, aside, code, ...textarea }: TextAreaProps) {
	return (
		<Field label={label} hint={hint} error={error} aside={aside}>
			{(control) => (
				<textarea
					rows={5}
					{...(code ? { spellCheck: false, autoCapitalize: "none", wrap: "off" } : {})}
					{...textarea}
					{...control}
					className={`control control-area ${code ? "control-code" : ""}`}
				/>
			)}
		</Field>
	);
}
