import { type InputHTMLAttributes, useState } from "react";
import { Field, type FieldText } from "./Field";
import { EyeIcon, EyeOffIcon } from "./icons";

type PasswordFieldProps = FieldText & Omit<InputHTMLAttributes<HTMLInputElement>, "type">;

/** A password or a secret, hidden until its writer asks to see it. */
export function PasswordField({ label, hint, error, aside, ...input }: PasswordFieldProps) {
	const [shown, setShown] = useState(false);
	return (
		<Field label={label} hint={hint} error={error} aside={aside}>
			{(control) => (
				<div className="control-with-button">
					<input
						autoCapitalize="none"
						spellCheck={false}
						{...input}
						{...control}
						type={shown ? "text" : "password"}
						className="control"
					/>
					<button
						type="button"
						className="control-button"
						aria-label={`${shown ? "Hide" : "Show"} ${label.toLowerCase()}`}
						aria-pressed={shown}
						onClick={() => setShown(!shown)}
					>
						{shown ? <EyeOffIcon /> : <EyeIcon />}
					</button>
				</div>
			)}
		</Field>
	);
}
