import { hasCode } from "../../api/client";
import { PasswordField } from "../../ui/fields";
import { useConsoleOperator } from "../session/operator";

type OwnPasswordFieldProps = {
	value: string;
	onValueChange: (value: string) => void;
	/** What the service said. It is shown here if it is about this password. */
	error: Error | null;
};

export const isOwnPasswordWrong = (error: Error | null) => hasCode(error, "INVALID_PASSWORD");

/** Asks an operator for the own password before something dangerous. A key has none. */
export function OwnPasswordField({ value, onValueChange, error }: OwnPasswordFieldProps) {
	if (useConsoleOperator()?.kind !== "admin") return null;
	return (
		<PasswordField
			label="Your password"
			hint="The one with which you sign in to the console."
			value={value}
			onValueChange={onValueChange}
			error={isOwnPasswordWrong(error) ? error?.message : undefined}
			autoComplete="current-password"
			required
		/>
	);
}
