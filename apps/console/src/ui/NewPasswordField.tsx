import type { ReactNode } from "react";
import { PasswordField } from "./fields";
import { strengthOf } from "./password-strength";
import { useUiTexts } from "./texts";

/** The longest password of which the page thinks about the strength. */
const MAX_SHOWN = 128;

type NewPasswordFieldProps = {
	label: string;
	value: string;
	onValueChange: (value: string) => void;
	minLength: number;
	maxLength?: number;
	hint?: ReactNode;
	error?: ReactNode;
	/** What others know of the user: a password with it is easy to guess. */
	personal?: readonly string[];
};

/** A password that somebody chooses, with a hint how good it is. The server decides. */
export function NewPasswordField({ personal = [], ...field }: NewPasswordFieldProps) {
	const { value, minLength } = field;
	return (
		<PasswordField
			name="new-password"
			autoComplete="new-password"
			required
			{...field}
			status={<Strength password={value} minLength={minLength} personal={personal} />}
		/>
	);
}

type StrengthProps = { password: string; minLength: number; personal: readonly string[] };

const BARS = { short: 1, personal: 1, repeated: 1, common: 1, fair: 2, good: 3 };

/** It is there before the first letter: otherwise screen readers would not announce its text. */
function Strength({ password, minLength, personal }: StrengthProps) {
	const { strength: texts } = useUiTexts();
	const strength =
		password === "" ? null : strengthOf(password.slice(0, MAX_SHOWN), minLength, personal);
	return (
		<div className="strength" aria-live="polite" aria-atomic="true">
			{strength && (
				<>
					<span className="strength-bars" data-bars={BARS[strength]} aria-hidden="true">
						<span />
						<span />
						<span />
					</span>
					<span>
						<span className="visually-hidden">{texts.label}: </span>
						{texts[strength]}
					</span>
				</>
			)}
		</div>
	);
}
