import type { ReactNode } from "react";
import { PasswordField } from "../ui/PasswordField";
import { useTenant } from "./tenant-context";

type NewPasswordFieldProps = {
	label: string;
	value: string;
	onValue: (value: string) => void;
	error?: ReactNode;
};

/** A password to choose; the bounds are the server's. */
export function NewPasswordField({ label, value, onValue, error }: NewPasswordFieldProps) {
	const { minLength, maxLength } = useTenant().options.password;
	return (
		<PasswordField
			label={label}
			name="new-password"
			autoComplete="new-password"
			required
			minLength={minLength}
			maxLength={maxLength}
			value={value}
			onChange={(event) => onValue(event.target.value)}
			hint={`At least ${minLength} characters.`}
			error={error}
		/>
	);
}
