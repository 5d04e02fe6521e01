import type { ReactNode } from "react";
import { TextField } from "../ui/TextField";

type EmailFieldProps = {
	value: string;
	onValue: (value: string) => void;
	error?: ReactNode;
};

/** The email that a user signs in with. */
export function EmailField({ value, onValue, error }: EmailFieldProps) {
	return (
		<TextField
			label="Email"
			type="email"
			name="email"
			autoComplete="username"
			required
			value={value}
			onChange={(event) => onValue(event.target.value)}
			error={error}
		/>
	);
}
